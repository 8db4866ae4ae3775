// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.druidtests;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.annotation.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Rewrites classes of Druid, and two of ours.
 *
 * <table>
 * <caption>What is rewritten</caption>
 * <tr><th>where</th><th>what</th></tr>
 * <tr><td>Druid's classes, tests too</td><td>{@code new IndexMergerV9} and {@code V10} make ours</td></tr>
 * <tr><td>{@code IndexMergerBase}</td><td>each indexSpec gets our strategy when a segment is written</td></tr>
 * <tr><td>{@code DefaultObjectMapper}</td><td>knows our Jackson modules</td></tr>
 * <tr><td>{@code IndexMergerTestBase}</td><td>does not look into private fields of Druid's compressed ids</td></tr>
 * <tr><td>{@code QueryableIndexCursorFactory}</td><td>cursors are those of our factory</td></tr>
 * <tr><td>{@code OnheapIncrementalIndex.Builder}</td><td>builds ours, if the {@link Encoding} says so</td></tr>
 * <tr><td>{@code ColumnDescriptor}</td><td>written columns are counted</td></tr>
 * <tr><td>{@code BlockSize}</td><td>all sizes are that of the {@link Encoding}</td></tr>
 * <tr><td>{@code ShapeShiftIndexSpec}</td><td>all columns of numbers are named to have a hash index</td></tr>
 * </table>
 */
final class Rewriting implements ClassFileTransformer {
  private static final String DRUID = "org/apache/druid/";
  private static final String SEGMENT = DRUID + "segment/";
  private static final String INDEX_SPEC = SEGMENT + "IndexSpec";
  private static final String MAPPER = DRUID + "jackson/DefaultObjectMapper";
  private static final String MERGER_TESTS = SEGMENT + "IndexMergerTestBase";
  private static final String CURSORS = SEGMENT + "QueryableIndexCursorFactory";
  private static final String IN_MEMORY = SEGMENT + "incremental/";
  private static final String INDEX = IN_MEMORY + "IncrementalIndex";
  private static final String INDEX_BUILDER = IN_MEMORY + "OnheapIncrementalIndex$Builder";
  private static final String DESCRIPTOR = SEGMENT + "column/ColumnDescriptor";
  private static final String OURS = "io/shapeshift/druid/";
  private static final String BLOCK_SIZE = OURS + "column/BlockSize";
  private static final String OUR_SPEC = OURS + "segment/spec/ShapeShiftIndexSpec";
  private static final String HOOKS = Hooks.class.getName().replace('.', '/');

  private final Encoding encoding;
  /** Replaced classes, and their replacements. */
  private final Map<String, String> mergers;

  Rewriting(Encoding encoding) {
    this.encoding = encoding;
    final String ours = OURS + "segment/merge/";
    this.mergers = encoding.target() == null ? Map.of() : Map.of(
        SEGMENT + "IndexMergerV9",
        ours + (encoding.isV10() ? "IndexMergerV10AsV9" : "ShapeShiftIndexMergerV9"),
        SEGMENT + "IndexMergerV10",
        ours + "ShapeShiftIndexMergerV10"
    );
  }

  @Override
  @Nullable
  public byte[] transform(
      @Nullable ClassLoader loader,
      String className,
      @Nullable Class<?> classBeingRedefined,
      @Nullable ProtectionDomain protectionDomain,
      byte[] bytes
  ) {
    if (!className.startsWith(DRUID) && !className.equals(BLOCK_SIZE) && !className.equals(OUR_SPEC)) {
      return null;
    }
    final ClassReader reader = new ClassReader(bytes);
    final ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Rewriter(className, writer), 0);
    return writer.toByteArray();
  }

  private final class Rewriter extends ClassVisitor {
    private final String className;

    Rewriter(String className, ClassVisitor next) {
      super(Opcodes.ASM9, next);
      this.className = className;
    }

    @Override
    @Nullable
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
      final MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
      if (className.equals(DESCRIPTOR) && name.equals("writeTo")) {
        return new CountingColumns(next);
      }
      // There are two build methods; this one is declared to return any index.
      if (className.equals(INDEX_BUILDER) && encoding.isOffHeap() && descriptor.equals("()L" + INDEX + ";")) {
        makeOurs(next);
        return null;
      }
      if (encoding.target() == null) {
        return next;
      }
      if (className.equals(MERGER_TESTS) && name.equals("assertDimCompression")) {
        makeEmpty(next);
        return null;
      }
      return switch (className) {
        case CURSORS -> name.equals("makeCursorHolder") ? new MakingCursors(next) : next;
        case BLOCK_SIZE -> name.equals("<init>") ? new ResizingBlocks(next) : next;
        case OUR_SPEC -> name.equals("hasHashIndex") && encoding.hasHashIndexes() ? new SayingYes(next) : next;
        case MAPPER -> name.equals("<init>") ? new RegisteringModules(next) : next;
        default -> new Replacing(next);
      };
    }

    private static void makeEmpty(MethodVisitor method) {
      method.visitCode();
      method.visitInsn(Opcodes.RETURN);
      method.visitMaxs(0, 0);
      method.visitEnd();
    }

    /** Replaces the body of a builder's method by a call of {@link Hooks#makeIndex}. */
    private static void makeOurs(MethodVisitor method) {
      final Map<String, String> fields = new LinkedHashMap<>();
      fields.put("incrementalIndexSchema", "L" + IN_MEMORY + "IncrementalIndexSchema;");
      fields.put("maxRowCount", "I");
      fields.put("maxBytesInMemory", "J");
      fields.put("preserveExistingMetrics", "Z");
      method.visitCode();
      fields.forEach((field, type) -> {
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitFieldInsn(Opcodes.GETFIELD, INDEX_BUILDER, field, type);
      });
      final String ofHook = "(" + String.join("", fields.values()) + ")L" + INDEX + ";";
      method.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "makeIndex", ofHook, false);
      method.visitInsn(Opcodes.ARETURN);
      method.visitMaxs(0, 0);
      method.visitEnd();
    }

    /** Replaces Druid's mergers by ours, and puts the strategy into indexSpecs. */
    private final class Replacing extends MethodVisitor {
      /** Number of objects, by class, whose constructor has not been called yet. */
      private final Map<String, Integer> unfinished = new HashMap<>();

      Replacing(MethodVisitor next) {
        super(Opcodes.ASM9, next);
      }

      @Override
      public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.NEW && mergers.containsKey(type)) {
          unfinished.merge(type, 1, Integer::sum);
          super.visitTypeInsn(opcode, mergers.get(type));
        } else {
          super.visitTypeInsn(opcode, type);
        }
      }

      @Override
      public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (opcode == Opcodes.INVOKESPECIAL && name.equals("<init>") && unfinished.getOrDefault(owner, 0) > 0) {
          unfinished.merge(owner, -1, Integer::sum);
          super.visitMethodInsn(opcode, mergers.get(owner), name, completed(owner, descriptor), isInterface);
        } else if (className.equals(SEGMENT + "IndexMergerBase")
            && owner.equals(INDEX_SPEC)
            && name.equals("getEffectiveSpec")) {
          final String ofHook = "(L" + INDEX_SPEC + ";)L" + INDEX_SPEC + ";";
          super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "effectiveSpec", ofHook, false);
        } else {
          super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
      }

      /** Adds a false {@code storeEmptyColumns} for Druid's constructor for tests, which lacks this parameter. */
      private String completed(String owner, String descriptor) {
        if (!owner.endsWith("V9") || descriptor.contains("Z")) {
          return descriptor;
        }
        super.visitInsn(Opcodes.ICONST_0);
        return descriptor.replace(")", "Z)");
      }
    }
  }

  /** Calls {@link Hooks#columnWritten} first. */
  private static final class CountingColumns extends MethodVisitor {
    CountingColumns(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      super.visitVarInsn(Opcodes.ALOAD, 0);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "columnWritten", "(L" + DESCRIPTOR + ";)V", false);
    }
  }

  /** Calls {@link Hooks#registerModules} last. */
  private static final class RegisteringModules extends MethodVisitor {
    RegisteringModules(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        final String ofHook = "(Lcom/fasterxml/jackson/databind/ObjectMapper;)V";
        super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "registerModules", ofHook, false);
      }
      super.visitInsn(opcode);
    }
  }

  /** Returns the result of {@link Hooks#makeCursorHolder}, unless that is null. */
  private static final class MakingCursors extends MethodVisitor {
    private static final String HOLDER = SEGMENT + "CursorHolder";

    MakingCursors(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      final String index = "L" + SEGMENT + "QueryableIndex;";
      final String times = "L" + SEGMENT + "TimeBoundaryInspector;";
      super.visitVarInsn(Opcodes.ALOAD, 0);
      super.visitFieldInsn(Opcodes.GETFIELD, CURSORS, "index", index);
      super.visitVarInsn(Opcodes.ALOAD, 0);
      super.visitFieldInsn(Opcodes.GETFIELD, CURSORS, "timeBoundaryInspector", times);
      super.visitVarInsn(Opcodes.ALOAD, 1);
      final String ofHook = "(" + index + times + "L" + SEGMENT + "CursorBuildSpec;)L" + HOLDER + ";";
      super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "makeCursorHolder", ofHook, false);
      super.visitInsn(Opcodes.DUP);
      final Label druids = new Label();
      super.visitJumpInsn(Opcodes.IFNULL, druids);
      super.visitInsn(Opcodes.ARETURN);
      super.visitLabel(druids);
      super.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {HOLDER});
      super.visitInsn(Opcodes.POP);
    }
  }

  /** Stores the {@link Encoding}'s size instead of the constant's own. */
  private final class ResizingBlocks extends MethodVisitor {
    ResizingBlocks(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (opcode == Opcodes.PUTFIELD && name.equals("logBytes")) {
        super.visitInsn(Opcodes.POP);
        super.visitIntInsn(Opcodes.BIPUSH, encoding.logBlockBytes());
      }
      super.visitFieldInsn(opcode, owner, name, descriptor);
    }
  }

  /** Makes a method return true. */
  private static final class SayingYes extends MethodVisitor {
    SayingYes(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.IRETURN) {
        super.visitInsn(Opcodes.POP);
        super.visitInsn(Opcodes.ICONST_1);
      }
      super.visitInsn(opcode);
    }
  }
}
