// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.testing.RandomData;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.query.filter.DruidDoublePredicate;
import org.apache.druid.query.filter.DruidFloatPredicate;
import org.apache.druid.query.filter.DruidLongPredicate;
import org.apache.druid.query.filter.DruidObjectPredicate;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;

/**
 * Matches about one value in {@code rarity}, and as many more it does not know.
 *
 * @param salt   makes it match other values
 * @param ofNull what it says of null
 */
record HashPredicate(int rarity, int salt, DruidPredicateMatch ofNull) implements DruidPredicateFactory {
  static HashPredicate random(RandomData random) {
    return new HashPredicate(
        random.oneOf(List.of(1, 2, 3, 20, 1 << 30)),
        random.nextInt(1 << 30),
        random.oneOf(List.of(DruidPredicateMatch.values()))
    );
  }

  private DruidPredicateMatch match(@Nullable Object value) {
    if (value == null) {
      return ofNull;
    }
    return switch (Math.floorMod((value.hashCode() ^ salt) * 0x9E3779B1, rarity)) {
      case 0 -> DruidPredicateMatch.TRUE;
      case 1 -> DruidPredicateMatch.UNKNOWN;
      default -> DruidPredicateMatch.FALSE;
    };
  }

  @Override
  public DruidObjectPredicate<String> makeStringPredicate() {
    return this::match;
  }

  @Override
  public DruidLongPredicate makeLongPredicate() {
    return new DruidLongPredicate() {
      @Override
      public DruidPredicateMatch applyLong(long input) {
        return match(input);
      }

      @Override
      public DruidPredicateMatch applyNull() {
        return ofNull;
      }
    };
  }

  @Override
  public DruidDoublePredicate makeDoublePredicate() {
    return new DruidDoublePredicate() {
      @Override
      public DruidPredicateMatch applyDouble(double input) {
        return match(input);
      }

      @Override
      public DruidPredicateMatch applyNull() {
        return ofNull;
      }
    };
  }

  @Override
  public DruidFloatPredicate makeFloatPredicate() {
    throw new UnsupportedOperationException();
  }
}
