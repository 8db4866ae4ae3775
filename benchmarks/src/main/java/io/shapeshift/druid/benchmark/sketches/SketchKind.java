// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.sketches;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.kll.KllDoublesSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.quantiles.DoublesSketch;
import org.apache.datasketches.quantiles.DoublesUnion;
import org.apache.datasketches.quantiles.UpdateDoublesSketch;
import org.apache.datasketches.theta.SetOperation;
import org.apache.datasketches.theta.Sketch;
import org.apache.datasketches.theta.Sketches;

/** Kinds of sketches of the datasketches library, with the bytes that Druid's extension stores. */
enum SketchKind {
  /** Distinct ids, 2^14. */
  THETA {
    @Override
    Union union() {
      final var union = SetOperation.builder().setNominalEntries(1 << 14).buildUnion();
      return new Union() {
        @Override
        public void add(double number) {
          union.update((long) number);
        }

        @Override
        public void merge(Object sketch) {
          union.union((Sketch) sketch);
        }

        @Override
        public Object sketch() {
          return union.getResult();
        }
      };
    }

    @Override
    byte[] toBytes(Object sketch) {
      return ((Sketch) sketch).compact().toByteArray();
    }

    @Override
    Object wrap(Memory bytes) {
      return Sketches.wrapSketch(bytes);
    }

    @Override
    double estimate(Object sketch) {
      return ((Sketch) sketch).getEstimate();
    }
  },
  /** Distinct ids, 2^12. */
  HLL_4 {
    @Override
    Union union() {
      final var union = new org.apache.datasketches.hll.Union(12);
      return new Union() {
        @Override
        public void add(double number) {
          union.update((long) number);
        }

        @Override
        public void merge(Object sketch) {
          union.update((HllSketch) sketch);
        }

        @Override
        public Object sketch() {
          return union.getResult(TgtHllType.HLL_4);
        }
      };
    }

    @Override
    byte[] toBytes(Object sketch) {
      return ((HllSketch) sketch).toCompactByteArray();
    }

    @Override
    Object wrap(Memory bytes) {
      return HllSketch.wrap(bytes);
    }

    @Override
    double estimate(Object sketch) {
      return ((HllSketch) sketch).getEstimate();
    }
  },
  /** Quantiles, k = 200. */
  KLL {
    @Override
    Union union() {
      final KllDoublesSketch union = KllDoublesSketch.newHeapInstance(200);
      return new Union() {
        @Override
        public void add(double number) {
          union.update(number);
        }

        @Override
        public void merge(Object sketch) {
          union.merge((KllDoublesSketch) sketch);
        }

        @Override
        public Object sketch() {
          return union;
        }
      };
    }

    @Override
    byte[] toBytes(Object sketch) {
      return ((KllDoublesSketch) sketch).toByteArray();
    }

    @Override
    Object wrap(Memory bytes) {
      return KllDoublesSketch.wrap(bytes);
    }

    @Override
    double estimate(Object sketch) {
      return (double) ((KllDoublesSketch) sketch).getN();
    }
  },
  /** Quantiles, k = 128. */
  QUANTILES {
    @Override
    Union union() {
      final DoublesUnion union = DoublesUnion.builder().setMaxK(128).build();
      final UpdateDoublesSketch numbers = DoublesSketch.builder().setK(128).build();
      return new Union() {
        private boolean hasMerged;

        @Override
        public void add(double number) {
          numbers.update(number);
        }

        @Override
        public void merge(Object sketch) {
          union.union((DoublesSketch) sketch);
          hasMerged = true;
        }

        @Override
        public Object sketch() {
          return hasMerged ? union.getResult() : numbers;
        }
      };
    }

    @Override
    byte[] toBytes(Object sketch) {
      return ((DoublesSketch) sketch).toByteArray(true);
    }

    @Override
    Object wrap(Memory bytes) {
      return DoublesSketch.wrap(bytes);
    }

    @Override
    double estimate(Object sketch) {
      return (double) ((DoublesSketch) sketch).getN();
    }
  };

  /** Collects either numbers or sketches. */
  interface Union {
    /** Adds a number. */
    void add(double number);

    /** Adds a sketch. */
    void merge(Object sketch);

    /** Returns the sketch of all that was added. */
    Object sketch();
  }

  /** Returns an empty union. */
  abstract Union union();

  /** Returns the bytes that are stored. */
  abstract byte[] toBytes(Object sketch);

  /** Returns the sketch of stored bytes, to which it refers. */
  abstract Object wrap(Memory bytes);

  /** Returns the number that a query finds: of distinct ids, or of all numbers. */
  abstract double estimate(Object sketch);

  /** Returns the sketch of stored bytes, to which it refers. */
  Object wrap(ByteBuffer buffer, int numBytes) {
    return wrap(Memory.wrap(buffer, ByteOrder.LITTLE_ENDIAN).region(buffer.position(), numBytes));
  }

  /** Returns whether it counts distinct ids; otherwise it has quantiles of numbers. */
  boolean countsIds() {
    return this == THETA || this == HLL_4;
  }

  /** Returns the name of the complex type. */
  String typeName() {
    return "benchmark" + name();
  }
}
