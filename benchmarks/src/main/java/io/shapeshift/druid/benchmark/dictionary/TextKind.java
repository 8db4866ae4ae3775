// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import com.google.common.base.Ascii;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Kinds of texts in columns of strings. The same arguments always make the same texts. */
enum TextKind {
  /** URLs of some hundred hosts, with a path, and often a query. */
  URLS {
    @Override
    String draw(Random random) {
      final String path = words(EN, "-", 1 + skewed(random, 4), random);
      final String page = "https://www." + host(random) + "/" + any(EN, random) + "/" + path;
      return random.nextInt(3) == 0 ? page + "?id=" + random.nextInt(1_000_000) + "&ref=" + any(EN, random)
                                    : page + "/" + random.nextInt(100_000) + ".html";
    }
  },
  /** E-mail addresses: names, initials and numbers at some hundred hosts. */
  EMAILS {
    @Override
    String draw(Random random) {
      final String name = random.nextBoolean()
                          ? any(FIRST_NAMES, random) + "." + any(LAST_NAMES, random)
                          : any(FIRST_NAMES, random).charAt(0) + any(LAST_NAMES, random);
      return Ascii.toLowerCase(name) + (random.nextInt(4) == 0 ? "" : random.nextInt(10_000)) + "@" + host(random);
    }
  },
  /** Random UUIDs. */
  UUIDS {
    @Override
    String draw(Random random) {
      return new UUID(
          (random.nextLong() & ~0xF000L) | 0x4000L,
          random.nextLong() >>> 2 | Long.MIN_VALUE
      ).toString();
    }
  },
  /** User agents of browsers on some systems, in many versions. */
  USER_AGENTS {
    @Override
    String draw(Random random) {
      final int version = 60 + random.nextInt(70);
      final String system = any(SYSTEMS, random) + (random.nextBoolean() ? "; rv:" + version + ".0" : "");
      return switch (random.nextInt(3)) {
        case 0 -> "Mozilla/5.0 (" + system + ") Gecko/20100101 Firefox/" + version + "." + random.nextInt(10);
        case 1 -> "Mozilla/5.0 (" + system + ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + version + ".0."
            + random.nextInt(6000) + "." + random.nextInt(200) + " Safari/537.36";
        default -> "Mozilla/5.0 (" + system + ") AppleWebKit/605.1." + random.nextInt(20)
            + " (KHTML, like Gecko) Version/" + version / 8 + "." + random.nextInt(7) + " Mobile/"
            + String.format(Locale.ROOT, "%02dE%03d", random.nextInt(30), random.nextInt(400)) + " Safari/604.1";
      };
    }
  },
  /** Titles of articles: a few capitalised words, some with a year. */
  TITLES {
    @Override
    String draw(Random random) {
      final String title = IntStream.range(0, 1 + skewed(random, 5))
          .mapToObj(i -> any(random.nextInt(3) == 0 ? LAST_NAMES : EN, random))
          .map(word -> Ascii.toUpperCase(word.charAt(0)) + word.substring(1))
          .collect(Collectors.joining(" "));
      return random.nextInt(4) == 0 ? title + " (" + (1900 + random.nextInt(120)) + ")" : title;
    }
  },
  /** Names of machines in data centres, some of them public. */
  HOSTS {
    @Override
    String draw(Random random) {
      return random.nextInt(4) == 0
             ? any(EN, random) + "." + any(EN, random) + "-" + any(EN, random) + ".com"
             : any(List.of("web", "db", "cache", "worker", "kafka-broker"), random) + "-"
                 + random.nextInt(2000) + "." + any(List.of("us-east-1", "us-west-2", "eu-central-1"), random)
                 + any(List.of("a", "b", "c"), random) + ".prod.example.internal";
    }
  },
  /** Decimal numbers of all lengths up to nine digits. */
  NUMBERS {
    @Override
    String draw(Random random) {
      return Integer.toString((int) Math.pow(10, 9 * Math.sqrt(random.nextDouble())));
    }
  },
  /** Sentences in several languages, most of them with characters outside ASCII. */
  SENTENCES {
    @Override
    String draw(Random random) {
      final List<String> language = any(LANGUAGES, random);
      return words(language, language == CHINESE ? "" : " ", 4 + skewed(random, 12), random)
          + (language == CHINESE ? "。" : ".");
    }
  },
  /** Log messages: one of forty sentences of some hundred bytes, with numbers. */
  MESSAGES {
    @Override
    String draw(Random random) {
      final Random sentence = new Random(skewed(random, 40));
      return IntStream.range(0, 70)
          .mapToObj(i -> any(EN, sentence) + (sentence.nextInt(9) == 0 ? "=" + random.nextInt(100_000) : ""))
          .collect(Collectors.joining(" "));
    }
  },
  /** Random bytes in Base64. */
  NOISE {
    @Override
    String draw(Random random) {
      return random.ints(8 + random.nextInt(24), 0, BASE_64.length())
          .mapToObj(i -> BASE_64.substring(i, i + 1))
          .collect(Collectors.joining());
    }
  };

  private static final String BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  private static final List<String> EN = List.of((
      "the of and to in is that for it as was with be by on not this are or from at which but have an had they you "
          + "were their one all we can her has there been if more when will would who so no out up into than them only "
          + "some time could these two may then do first any my now such like our over man me even most made after "
          + "also did many before must through back years where much your way well down should because long each just "
          + "state those people too mister how little good world make very year still see own work men day get here "
          + "between both being under three never know same last another while us off might great go come since "
          + "against came right states used take water river station history football company university album "
          + "election museum county school island battle church international railway national championship"
  ).split(" "));
  private static final List<String> DE = List.of((
      "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat "
          + "dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur "
          + "bis mehr durch man sein wurde Größe Straße müssen können während Mädchen schön früher Änderung Übung"
  ).split(" "));
  private static final List<String> FR = List.of((
      "le de un être et à il avoir ne je son que se qui ce dans en du elle au pour pas vous par sur faire plus dire me "
          + "on mon lui nous comme mais pouvoir avec tout y aller voir bien où sans tu ou leur homme si deux même été "
          + "français école hôtel naïve garçon déjà près forêt élève"
  ).split(" "));
  private static final List<String> RU = List.of((
      "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой ее от так о для ты же все "
          + "год человек один такой тот или если только его бы себя другой как когда уже время дело жизнь день рука"
  ).split(" "));
  private static final List<String> CHINESE = List.of((
      "的 一 是 不 了 在 人 有 我 他 这 个 们 中 来 上 大 为 和 国 地 到 以 说 时 要 就 出 会 可 也 你 对 生 能 而 子 那 得 于 着 下 自 之 年 过 发 后 作 里 "
          + "中国 我们 没有 什么 工作 时间 学生 北京 上海 问题 世界 现在 因为 所以 朋友"
  ).split(" "));
  private static final List<List<String>> LANGUAGES = List.of(EN, DE, FR, RU, CHINESE);
  private static final List<String> FIRST_NAMES = List.of((
      "James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph "
          + "Jessica Thomas Sarah Charles Karen Anna Peter Lukas Marie Sofia Ivan Olga Wei Yuki Ahmed Fatima Carlos"
  ).split(" "));
  private static final List<String> LAST_NAMES = List.of((
      "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson "
          + "Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis "
          + "Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Schneider Fischer Weber Ivanov"
  ).split(" "));
  private static final List<String> SYSTEMS = List.of(
      "Windows NT 10.0; Win64; x64",
      "Windows NT 6.1; WOW64",
      "Macintosh; Intel Mac OS X 10_15_7",
      "X11; Linux x86_64",
      "X11; Ubuntu; Linux x86_64",
      "iPhone; CPU iPhone OS 16_5 like Mac OS X",
      "Linux; Android 13; SM-G991B",
      "Linux; Android 12; Pixel 6"
  );

  /**
   * The kind with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static TextKind parse(String name) {
    return Arrays.stream(values()).filter(kind -> kind.toString().equals(name)).findFirst().orElseThrow(() ->
        new IllegalArgumentException("There are no texts " + name + ". There are " + Arrays.toString(values())));
  }

  /**
   * Distinct texts, sorted.
   *
   * @param count how many, less than there may be of the kind
   */
  List<String> texts(int count, long seed) {
    final Random random = new Random(seed);
    final TreeSet<String> texts = new TreeSet<>();
    while (texts.size() < count) {
      texts.add(draw(random));
    }
    return List.copyOf(texts);
  }

  abstract String draw(Random random);

  private static String host(Random random) {
    return any(EN, random) + any(EN.subList(0, 8), random) + any(List.of(".com", ".org", ".net", ".co.uk"), random);
  }

  private static String words(List<String> language, String between, int count, Random random) {
    return IntStream.range(0, count).mapToObj(i -> any(language, random)).collect(Collectors.joining(between));
  }

  /** Random element; the first ones are the most frequent. */
  private static <T> T any(List<T> list, Random random) {
    return list.get(skewed(random, list.size()));
  }

  private static int skewed(Random random, int end) {
    return (int) (end * Math.pow(random.nextDouble(), 1.5));
  }

  @Override
  public String toString() {
    return Ascii.toLowerCase(name()).replace('_', '-');
  }
}
