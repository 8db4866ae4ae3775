// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.metrics;

import it.unimi.dsi.fastutil.objects.Object2LongMap;
import it.unimi.dsi.fastutil.objects.Object2LongOpenHashMap;
import java.util.Comparator;
import java.util.List;
import org.apache.druid.java.util.common.StringUtils;

/** Number of bytes by form name. For one thread. */
public final class BytesByForm {
  /** Maximum number of forms that {@link #toString} names; there may be dozens. */
  private static final int MOST_NAMED = 3;

  private final Object2LongOpenHashMap<String> bytes = new Object2LongOpenHashMap<>();

  /** Adds bytes to a form. */
  public void add(String form, long more) {
    bytes.addTo(form, more);
  }

  void addAll(BytesByForm others) {
    others.bytes.object2LongEntrySet().fastForEach(entry -> add(entry.getKey(), entry.getLongValue()));
  }

  /** Total bytes of all forms. */
  public long sum() {
    return bytes.values().longStream().sum();
  }

  /** All forms, sorted by descending bytes. */
  List<Object2LongMap.Entry<String>> sorted() {
    return bytes.object2LongEntrySet().stream()
        .sorted(Comparator.<Object2LongMap.Entry<String>>comparingLong(Object2LongMap.Entry::getLongValue)
            .reversed()
            .thenComparing(Object2LongMap.Entry::getKey))
        .toList();
  }

  /** Largest forms with their shares, such as {@code bitpack 60 %, lz4 31 %, 2 others 9 %}. */
  @Override
  public String toString() {
    final List<Object2LongMap.Entry<String>> forms = sorted();
    final double sum = sum();
    final int named = forms.size() == MOST_NAMED + 1 ? forms.size() : Math.min(MOST_NAMED, forms.size());
    final StringBuilder text = new StringBuilder();
    long rest = sum();
    for (Object2LongMap.Entry<String> form : forms.subList(0, named)) {
      text.append(text.isEmpty() ? "" : ", ").append(share(form.getKey(), form.getLongValue(), sum));
      rest -= form.getLongValue();
    }
    if (named < forms.size()) {
      text.append(", ").append(share(forms.size() - named + " others", rest, sum));
    }
    return text.toString();
  }

  private static String share(String what, long bytes, double sum) {
    return StringUtils.format("%s %.0f %%", what, 100 * bytes / sum);
  }
}
