// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.api.Encoding;
import io.shapeshift.druid.api.IntEncoding;
import io.shapeshift.druid.api.NumberEncoding;
import io.shapeshift.druid.api.PostingEncoding;
import io.shapeshift.druid.api.TextEncoding;
import io.shapeshift.druid.form.AddedNames;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.ints.added.AddedIntForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.added.AddedNumberForm;
import io.shapeshift.druid.form.postings.AddedPostingForm;
import io.shapeshift.druid.form.postings.PostingForms;
import io.shapeshift.druid.form.strings.TextCodings;
import io.shapeshift.druid.form.strings.added.AddedTexts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;

/**
 * Installer of the encodings of other jars in the registries of forms. They are sorted by name, which gives them ids
 * and their places in selection, so what is written depends on which encodings are installed and not on their order.
 */
public final class AddedForms {
  private static final String RESERVED = "shapeshift.";

  private static Map<String, Encoding> installed = Map.of();

  private AddedForms() {}

  /**
   * Installs encodings beside those that the process has. An encoding of the same name and class as one that is
   * installed changes nothing, so that several injectors of a process can install the same.
   *
   * @throws EncodingException if a name is invalid or reserved, two classes have the same name, or there are too
   *     many encodings. No encoding is installed then
   */
  public static synchronized void install(Collection<? extends Encoding> encodings) {
    final Map<String, Encoding> all = new TreeMap<>(installed);
    for (Encoding encoding : encodings) {
      checkName(encoding);
      @Nullable final Encoding other = all.putIfAbsent(encoding.name(), encoding);
      if (other != null && !classOf(other).equals(classOf(encoding))) {
        throw new EncodingException("Two encodings have the name[" + encoding.name() + "]: " + classOf(other)
            + " and " + classOf(encoding) + ". Remove the jar of one of them");
      }
    }
    if (all.size() > AddedNames.MOST) {
      throw new EncodingException("There are " + all.size() + " encodings of other jars, of at most "
          + AddedNames.MOST + ". Remove jars whose encodings are not needed");
    }
    if (!all.keySet().equals(installed.keySet())) {
      replace(all);
    }
  }

  /**
   * Checks that an encoding may have its name.
   *
   * @throws EncodingException if the name is invalid or reserved
   */
  public static void checkName(Encoding encoding) {
    @Nullable final String name = encoding.name();
    if (name == null || !AddedNames.isValid(name) || name.startsWith(RESERVED)) {
      throw new EncodingException("The name[" + name + "] of the encoding " + classOf(encoding)
          + " is not allowed: it needs two or more words with dots between them, at most " + AddedNames.MAX_LENGTH
          + " characters, as in acme.periodic. A word has a lower-case letter and then lower-case letters, digits and"
          + " _; the first word is the vendor, other than shapeshift");
    }
  }

  private static String classOf(Encoding encoding) {
    return encoding.getClass().getName();
  }

  /** Returns the installed encodings by name. */
  public static synchronized Map<String, Encoding> installed() {
    return installed;
  }

  /** Replaces all installed encodings; for tests only, because columns that are open may have the former. */
  static synchronized void replace(Map<String, Encoding> encodings) {
    final List<AddedIntForm> ints = new ArrayList<>();
    final List<AddedNumberForm> numbers = new ArrayList<>();
    final List<AddedPostingForm> postings = new ArrayList<>();
    final List<AddedTexts> texts = new ArrayList<>();
    byte id = AddedNames.FIRST_ID;
    for (Encoding encoding : new TreeMap<>(encodings).values()) {
      if (encoding instanceof IntEncoding each) {
        ints.add(new AddedIntForm(id, each));
      }
      if (encoding instanceof NumberEncoding each) {
        numbers.add(new AddedNumberForm(id, each));
      }
      if (encoding instanceof PostingEncoding each) {
        postings.add(new AddedPostingForm(id, each));
      }
      if (encoding instanceof TextEncoding each) {
        texts.add(AddedTexts.of(each));
      }
      id++;
    }
    IntForms.install(ints);
    NumberForms.install(numbers);
    PostingForms.install(postings);
    TextCodings.install(texts);
    installed = Map.copyOf(encodings);
  }
}
