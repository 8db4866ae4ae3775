// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * Makes JSON as small as it can be for something still to hold, by leaving out elements of arrays and properties of
 * objects, and by putting parts in the place of what they are parts of. What it means it does not know: what cannot be
 * read any more is to be refused.
 */
public final class Shrinker {
  private final Predicate<JsonNode> holds;
  private int tries;

  private Shrinker(Predicate<JsonNode> holds, int tries) {
    this.holds = holds;
    this.tries = tries;
  }

  /**
   * The smallest that was found.
   *
   * @param json  for which it holds
   * @param tries how often {@code holds} may be asked
   */
  public static JsonNode shrink(JsonNode json, Predicate<JsonNode> holds, int tries) {
    final Shrinker shrinker = new Shrinker(holds, tries);
    final ArrayNode root = new ArrayNode(null).add(json.deepCopy());
    while (shrinker.shrinkElement(root, root, 0)) {
      // What could not be left out before may be superfluous now.
    }
    return root.get(0);
  }

  /** Whether it holds for the one element of an array. */
  private boolean stillHolds(JsonNode root) {
    return tries-- > 0 && holds.test(root.get(0));
  }

  /** Makes all that is below a node smaller where it can be; whether anything could. */
  private boolean shrinkOnce(ArrayNode root, JsonNode node) {
    boolean isSmaller = false;
    if (node instanceof ArrayNode array) {
      isSmaller = leaveOut(root, array);
      for (int i = 0; i < array.size(); i++) {
        isSmaller |= shrinkElement(root, array, i);
      }
    } else if (node instanceof ObjectNode object) {
      for (String property : names(object)) {
        final JsonNode removed = object.remove(property);
        if (stillHolds(root)) {
          isSmaller = true;
        } else {
          object.set(property, removed);
          isSmaller |= shrinkProperty(root, object, property);
        }
      }
    }
    return isSmaller;
  }

  private static List<String> names(ObjectNode object) {
    final List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** Leaves out halves of an array, quarters and so on, and then single elements. */
  private boolean leaveOut(ArrayNode root, ArrayNode array) {
    boolean isSmaller = false;
    for (int length = array.size(); length > 0; length /= 2) {
      for (int start = 0; start < array.size() && tries > 0; ) {
        final List<JsonNode> all = new ArrayList<>();
        array.forEach(all::add);
        final int end = Math.min(all.size(), start + length);
        array.removeAll();
        array.addAll(all.subList(0, start)).addAll(all.subList(end, all.size()));
        if (stillHolds(root)) {
          isSmaller = true;
        } else {
          array.removeAll();
          array.addAll(all);
          start = end;
        }
      }
    }
    return isSmaller;
  }

  private boolean shrinkElement(ArrayNode root, ArrayNode array, int i) {
    final JsonNode element = array.get(i);
    for (JsonNode smaller : (Iterable<JsonNode>) smaller(element)::iterator) {
      array.set(i, smaller);
      if (stillHolds(root)) {
        return true;
      }
    }
    array.set(i, element);
    return shrinkOnce(root, element);
  }

  private boolean shrinkProperty(ArrayNode root, ObjectNode object, String property) {
    final JsonNode value = object.get(property);
    for (JsonNode smaller : (Iterable<JsonNode>) smaller(value)::iterator) {
      object.set(property, smaller);
      if (stillHolds(root)) {
        return true;
      }
    }
    object.set(property, value);
    return shrinkOnce(root, value);
  }

  /** What may be in the place of a value: of a filter one of those that it has. */
  private static Stream<JsonNode> smaller(JsonNode value) {
    if (value instanceof ObjectNode object) {
      return names(object).stream().map(object::get).flatMap(part -> {
        final List<JsonNode> elements = new ArrayList<>();
        if (part instanceof ArrayNode) {
          part.forEach(elements::add);
        } else {
          elements.add(part);
        }
        return elements.stream().filter(element -> isAlike(object, element));
      });
    }
    return Stream.of();
  }

  /** Whether both say of which type they are. */
  private static boolean isAlike(ObjectNode object, @Nullable JsonNode part) {
    return part instanceof ObjectNode && part.has("type") && object.has("type");
  }
}
