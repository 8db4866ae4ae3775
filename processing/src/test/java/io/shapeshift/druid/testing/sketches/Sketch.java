// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing.sketches;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.datasketches.cpc.CpcSketch;
import org.apache.datasketches.cpc.CpcUnion;
import org.apache.datasketches.frequencies.LongsSketch;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.kll.KllDoublesSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.quantiles.DoublesSketch;
import org.apache.datasketches.quantiles.DoublesUnion;
import org.apache.datasketches.quantiles.UpdateDoublesSketch;
import org.apache.datasketches.theta.SetOperation;
import org.apache.datasketches.theta.Sketches;
import org.apache.datasketches.tuple.arrayofdoubles.ArrayOfDoublesSetOperationBuilder;
import org.apache.datasketches.tuple.arrayofdoubles.ArrayOfDoublesSketch;
import org.apache.datasketches.tuple.arrayofdoubles.ArrayOfDoublesSketches;
import org.apache.datasketches.tuple.arrayofdoubles.ArrayOfDoublesUnion;

/**
 * Kinds of sketches of the datasketches library, with the bytes that Druid's extension stores. An {@link Accumulator}
 * takes numbers or other sketches.
 */
public enum Sketch {
  THETA(true) {
    @Override
    public Accumulator accumulator() {
      final var union = SetOperation.builder().setNominalEntries(1 << 14).buildUnion();
      return new Accumulator() {
        @Override
        public void add(Number value) {
          union.update(value.longValue());
        }

        @Override
        public void merge(Object sketch) {
          union.union((org.apache.datasketches.theta.Sketch) sketch);
        }

        @Override
        public Object result() {
          return union.getResult();
        }
      };
    }

    @Override
    public byte[] toBytes(Object sketch) {
      final var theta = (org.apache.datasketches.theta.Sketch) sketch;
      return theta.isEmpty() ? new byte[0] : theta.compact().toByteArray();
    }

    /** As Druid's extension does, without a copy. */
    @Override
    Object fromMemory(Memory bytes) {
      return bytes.getCapacity() == 0
             ? Sketches.updateSketchBuilder().build().compact()
             : Sketches.wrapSketch(bytes);
    }
  },
  HLL_4(true) {
    @Override
    public Accumulator accumulator() {
      return hll(TgtHllType.HLL_4);
    }

    @Override
    public byte[] toBytes(Object sketch) {
      return ((HllSketch) sketch).toCompactByteArray();
    }

    @Override
    Object fromMemory(Memory bytes) {
      return HllSketch.wrap(bytes);
    }
  },
  HLL_8(true) {
    @Override
    public Accumulator accumulator() {
      return hll(TgtHllType.HLL_8);
    }

    @Override
    public byte[] toBytes(Object sketch) {
      return ((HllSketch) sketch).toCompactByteArray();
    }

    @Override
    Object fromMemory(Memory bytes) {
      return HllSketch.wrap(bytes);
    }
  },
  KLL(false) {
    @Override
    public Accumulator accumulator() {
      final KllDoublesSketch sketch = KllDoublesSketch.newHeapInstance(200);
      return new Accumulator() {
        @Override
        public void add(Number value) {
          sketch.update(value.doubleValue());
        }

        @Override
        public void merge(Object other) {
          sketch.merge((KllDoublesSketch) other);
        }

        @Override
        public Object result() {
          return sketch;
        }
      };
    }

    @Override
    public byte[] toBytes(Object sketch) {
      return ((KllDoublesSketch) sketch).toByteArray();
    }

    @Override
    Object fromMemory(Memory bytes) {
      return KllDoublesSketch.wrap(bytes);
    }
  },
  QUANTILES(false) {
    @Override
    public Accumulator accumulator() {
      final UpdateDoublesSketch sketch = DoublesSketch.builder().setK(128).build();
      final DoublesUnion union = DoublesUnion.builder().setMaxK(128).build();
      return new Accumulator() {
        private boolean merged;

        @Override
        public void add(Number value) {
          sketch.update(value.doubleValue());
        }

        @Override
        public void merge(Object other) {
          merged = true;
          union.union((DoublesSketch) other);
        }

        @Override
        public Object result() {
          if (!merged) {
            return sketch.compact();
          }
          union.union(sketch);
          return union.getResultAndReset().compact();
        }
      };
    }

    @Override
    public byte[] toBytes(Object sketch) {
      return ((DoublesSketch) sketch).toByteArray(true);
    }

    @Override
    Object fromMemory(Memory bytes) {
      return DoublesSketch.wrap(bytes);
    }
  },
  CPC(true) {
    @Override
    public Accumulator accumulator() {
      final CpcUnion union = new CpcUnion(11);
      final CpcSketch sketch = new CpcSketch(11);
      return new Accumulator() {
        @Override
        public void add(Number value) {
          sketch.update(value.longValue());
        }

        @Override
        public void merge(Object other) {
          union.update((CpcSketch) other);
        }

        @Override
        public Object result() {
          union.update(sketch);
          return union.getResult();
        }
      };
    }

    @Override
    public byte[] toBytes(Object sketch) {
      return ((CpcSketch) sketch).toByteArray();
    }

    @Override
    Object fromMemory(Memory bytes) {
      return CpcSketch.heapify(bytes);
    }
  },
  FREQUENCIES(true) {
    @Override
    public Accumulator accumulator() {
      final LongsSketch sketch = new LongsSketch(64);
      return new Accumulator() {
        @Override
        public void add(Number value) {
          sketch.update(value.longValue());
        }

        @Override
        public void merge(Object other) {
          sketch.merge((LongsSketch) other);
        }

        @Override
        public Object result() {
          return sketch;
        }
      };
    }

    @Override
    public byte[] toBytes(Object sketch) {
      return ((LongsSketch) sketch).toByteArray();
    }

    @Override
    Object fromMemory(Memory bytes) {
      return LongsSketch.getInstance(bytes);
    }
  },
  TUPLE(true) {
    @Override
    public Accumulator accumulator() {
      final ArrayOfDoublesUnion union = new ArrayOfDoublesSetOperationBuilder().setNumberOfValues(1).buildUnion();
      final var sketch =
          new org.apache.datasketches.tuple.arrayofdoubles.ArrayOfDoublesUpdatableSketchBuilder().build();
      return new Accumulator() {
        @Override
        public void add(Number value) {
          sketch.update(value.longValue(), new double[]{1});
        }

        @Override
        public void merge(Object other) {
          union.union((ArrayOfDoublesSketch) other);
        }

        @Override
        public Object result() {
          union.union(sketch);
          sketch.reset();
          return union.getResult();
        }
      };
    }

    @Override
    public byte[] toBytes(Object sketch) {
      return ((ArrayOfDoublesSketch) sketch).compact().toByteArray();
    }

    @Override
    Object fromMemory(Memory bytes) {
      return ArrayOfDoublesSketches.wrapSketch(bytes);
    }
  };

  private final boolean ofIds;

  Sketch(boolean ofIds) {
    this.ofIds = ofIds;
  }

  /** Whether it counts ids; otherwise it has quantiles of numbers. */
  public boolean isOfIds() {
    return ofIds;
  }

  /** Collects numbers and sketches. */
  public interface Accumulator {
    /** Adds a number. */
    void add(Number value);

    /** Adds what a sketch has seen. */
    void merge(Object sketch);

    /** The sketch of all that was added. */
    Object result();
  }

  /** An empty accumulator. */
  public abstract Accumulator accumulator();

  /** The bytes that are stored; none for an empty theta sketch. */
  public abstract byte[] toBytes(Object sketch);

  abstract Object fromMemory(Memory bytes);

  /** The sketch of stored bytes, which may keep a reference to the buffer. */
  public Object fromBuffer(ByteBuffer buffer, int numBytes) {
    if (buffer.order() != ByteOrder.BIG_ENDIAN) {
      throw new AssertionError("Strategies of Druid expect buffers that are big-endian");
    }
    return fromMemory(Memory.wrap(buffer, ByteOrder.LITTLE_ENDIAN).region(buffer.position(), numBytes));
  }

  private static Accumulator hll(TgtHllType type) {
    final HllSketch sketch = new HllSketch(12, type);
    final var union = new org.apache.datasketches.hll.Union(12);
    return new Accumulator() {
      private boolean merged;

      @Override
      public void add(Number value) {
        sketch.update(value.longValue());
      }

      @Override
      public void merge(Object other) {
        merged = true;
        union.update((HllSketch) other);
      }

      @Override
      public Object result() {
        if (!merged) {
          return sketch;
        }
        union.update(sketch);
        return union.getResult(type);
      }
    };
  }

  /** The name of the complex type. */
  public String typeName() {
    return "testSketch" + name();
  }
}
