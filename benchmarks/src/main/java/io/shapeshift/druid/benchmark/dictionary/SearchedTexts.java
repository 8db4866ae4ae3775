// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import com.google.common.base.Ascii;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/**
 * Kinds of texts that are searched for parts: words of a vocabulary of 60,000 made-up words, whose frequencies follow
 * Zipf's law, and numbers. The same arguments always make the same texts.
 */
enum SearchedTexts {
  /** URLs of 20,000 hosts, some with the hash of a file, most with a number or a few words. */
  URL {
    @Override
    String draw(Random random) {
      final StringBuilder url = new StringBuilder(random.nextInt(4) == 0 ? "http://" : "https://");
      final Random host = sameAgain(zipf(random, 20_000));
      url.append(host.nextBoolean() ? "www." : "").append(word(host)).append(host.nextBoolean() ? "" : word(host))
          .append(any(DOMAINS, host));
      for (int i = random.nextInt(3); i >= 0; i--) {
        url.append('/').append(word(random));
      }
      switch (random.nextInt(6)) {
        case 0 -> url.append('/').append(hash(random, 40));
        case 1 -> url.append("/status/").append(random.nextLong() >>> 4);
        case 2 -> url.append(".php?id=").append(random.nextInt(1_000_000)).append("&page=").append(random.nextInt(50));
        case 3 -> url.append("/issues/").append(zipf(random, 100_000));
        default -> url.append('/').append(words("-", 1 + random.nextInt(6), random));
      }
      return url.toString();
    }
  },
  /** Titles of changes or articles: some words, some of them capitalised, and at times a number. */
  TITLE {
    @Override
    String draw(Random random) {
      final String title = (random.nextInt(3) == 0 ? word(random) + ": " : "")
          + words(" ", 3 + random.nextInt(8), random)
          + (random.nextInt(5) == 0 ? " (" + capital(word(random)) + ")" : "");
      return capital(title) + (random.nextInt(8) == 0 ? " #" + random.nextInt(50_000) : "");
    }
  },
  /**
   * Messages of 2,000 statements of a program, of 5 to 45 words: a third of the words are numbers, hashes, addresses or
   * words of their own.
   */
  MESSAGE {
    @Override
    String draw(Random random) {
      final Random statement = sameAgain(zipf(random, 2000));
      final StringBuilder message = new StringBuilder(String.format(
          Locale.ROOT, "%02d:%02d:%02d.%03d %s [%s-%d]", random.nextInt(24), random.nextInt(60), random.nextInt(60),
          random.nextInt(1000), any(LEVELS, statement), word(statement), zipf(random, 200)));
      for (int i = 5 + statement.nextInt(41); i > 0; i--) {
        message.append(' ');
        switch (statement.nextInt(15)) {
          case 0 -> message.append(random.nextInt(1 << statement.nextInt(30)));
          case 1 -> message.append(hash(random, 8));
          case 2 -> message.append("10.").append(random.nextInt(4)).append('.').append(random.nextInt(256)).append('.')
              .append(random.nextInt(256));
          case 3, 4 -> message.append(word(random));
          default -> message.append(word(statement));
        }
      }
      return message.toString();
    }
  };

  private static final List<String> DOMAINS = List.of(".com", ".com", ".com", ".org", ".net", ".io", ".de", ".co.uk");
  private static final List<String> LEVELS = List.of("INFO", "INFO", "INFO", "WARN", "ERROR", "DEBUG");
  private static final List<String> STARTS = List.of(
      "s t r c p d m l b f n re in h w g de st con v tr pr ch th un sh ex pl sp cl j k br gr fl dis y qu cr z fr ph str"
          .split(" "));
  private static final List<String> VOWELS = List.of("e a i o u ea ai ou ee oo y ie au oi".split(" "));
  private static final List<String> ENDS = List.of(
      "n s t er r d ing l ed y m tion nt ck st nd p g ss rt ct ll ment able b x f k ble ous".split(" "));
  private static final List<String> WORDS = vocabulary(60_000);

  abstract String draw(Random random);

  /**
   * Returns the kind with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static SearchedTexts parse(String name) {
    return Arrays.stream(values()).filter(kind -> kind.toString().equals(name)).findFirst().orElseThrow(() ->
        new IllegalArgumentException("There are no texts " + name + ". There are " + Arrays.toString(values())));
  }

  /** Returns distinct texts, sorted. */
  List<String> texts(int count) {
    final Random random = new Random(1);
    final Set<String> texts = new HashSet<>();
    while (texts.size() < count) {
      texts.add(draw(random));
    }
    final List<String> sorted = new ArrayList<>(texts);
    sorted.sort(null);
    return sorted;
  }

  /** Returns distinct words; the first ones are the shortest. */
  private static List<String> vocabulary(int size) {
    final Random random = new Random(11);
    final Set<String> seen = new HashSet<>();
    final List<String> words = new ArrayList<>();
    while (words.size() < size) {
      final StringBuilder word = new StringBuilder();
      final int longest = words.size() < 100 ? 1 : words.size() < 5000 ? 2 : 3;
      for (int i = random.nextInt(longest); i >= 0; i--) {
        word.append(STARTS.get(zipf(random, STARTS.size()))).append(VOWELS.get(zipf(random, VOWELS.size())));
      }
      word.append(ENDS.get(zipf(random, ENDS.size())));
      if (seen.add(word.toString())) {
        words.add(word.toString());
      }
    }
    return words;
  }

  /** Returns a number from 0 on with a frequency inverse to the number and one. */
  private static int zipf(Random random, int end) {
    return (int) Math.pow(end + 1.0, random.nextDouble()) - 1;
  }

  /** Returns random numbers that depend on a number. Neighbouring seeds have similar first numbers. */
  private static Random sameAgain(int number) {
    return new Random(number * 0x9E37_79B9_7F4A_7C15L);
  }

  private static String word(Random random) {
    return WORDS.get(zipf(random, WORDS.size()));
  }

  private static String words(String between, int count, Random random) {
    final List<String> words = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      words.add(word(random));
    }
    return String.join(between, words);
  }

  private static String any(List<String> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  private static String capital(String text) {
    return Ascii.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static String hash(Random random, int length) {
    final StringBuilder hash = new StringBuilder();
    while (hash.length() < length) {
      hash.append(Character.forDigit(random.nextInt(16), 16));
    }
    return hash.toString();
  }

  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
