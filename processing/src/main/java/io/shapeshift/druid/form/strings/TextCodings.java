// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.form.strings.added.AddedCoding;
import io.shapeshift.druid.form.strings.added.AddedTexts;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import javax.annotation.Nullable;

/**
 * Registry of codings of texts, by their ids in segments, and of encodings of other jars, by their names.
 */
public final class TextCodings {
  /** Encodings of other jars, by name; replaced as a whole. */
  private static volatile Map<String, AddedTexts> added = Map.of();

  private TextCodings() {}

  /** Returns the encodings of other jars, in the order in which selection tries them. */
  public static Collection<AddedTexts> added() {
    return added.values();
  }

  /** Returns an encoding of another jar; null if none of that name is installed. */
  @Nullable
  public static AddedTexts added(String name) {
    return added.get(name);
  }

  /** Replaces the encodings of other jars. Only for the one who installs encodings of all types. */
  public static void install(Collection<AddedTexts> encodings) {
    final Map<String, AddedTexts> byName = new TreeMap<>();
    encodings.forEach(encoding -> byName.put(encoding.name(), encoding));
    added = byName;
  }

  /**
   * Returns what reads a coding: it reads the coding's model, if it has one, and advances the buffer past it. It throws
   * {@link io.shapeshift.druid.form.MalformedChunkException} if the model is invalid, and
   * {@link java.nio.BufferUnderflowException} if the buffer ends within the model.
   *
   * @return null if the id is unknown
   */
  @Nullable
  public static Function<ByteBuffer, TextCoding> reader(byte id) {
    return switch (id) {
      case FrontCoding.PLAIN_ID -> in -> FrontCoding.PLAIN;
      case FrontCoding.SYMBOLS_ID -> in -> new FrontCoding(SymbolTable.read(in));
      case ChainedCoding.ID -> in -> ChainedCoding.INSTANCE;
      case TextPattern.ID -> TextPattern::read;
      case BlockCoding.ID -> BlockCoding::read;
      case AddedCoding.ID -> in -> AddedCoding.read(in, TextCodings::added);
      default -> null;
    };
  }
}
