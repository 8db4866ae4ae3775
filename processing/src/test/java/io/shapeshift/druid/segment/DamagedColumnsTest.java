// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.metrics.Totals;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.nested.NestedRows;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.Damage;
import io.shapeshift.druid.testing.GuardedMemory;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.concurrent.Execs;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.InDimFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.TypedInFilter;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SimpleQueryableIndex;
import org.apache.druid.segment.VirtualColumn;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.ListIndexed;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.apache.druid.segment.virtual.NestedFieldVirtualColumn;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Columns of whole segments with damaged bytes, of every type, target, version and part, read in all of Druid's ways:
 * by rows, by vectors, with filters, by ids and texts of dictionaries. Each read gives values or the one error that
 * names the column, and the chunk with its form and offset where it is one that cannot be read; nothing outside of the
 * column is read; each read of the same bytes gives the same, whatever was read before, and whatever is in memory
 * around them; and nothing takes long, or much memory.
 */
@Tag("slow")
class DamagedColumnsTest {
  private static final int INPUTS = Integer.getInteger("shapeshift.damaged", Tier.pick(700, 100_000));
  /** The first input, to repeat one. */
  private static final int FIRST = Integer.getInteger("shapeshift.damagedFrom", 0);
  /** Types of parts of the columns to damage; by default all. */
  private static final Pattern PARTS_TO_DAMAGE = Pattern.compile(System.getProperty("shapeshift.damagedParts", ".*"));
  private static final int NUM_ROWS = 2500;
  /** So many that ids and numbers have several groups of {@value #BLOCKS_PER_GROUP} blocks. */
  private static final int MANY_ROWS = 17_000;
  private static final int BLOCKS_PER_GROUP = 16;
  /** That an input is read with. */
  private static final int NUM_FILTERS = 3;
  private static final Set<String> HASH_INDEXES =
      Set.of("number", "long", "longOrNull", "longSum", "double", "doubleOrNull", "float", "floatOrNull", "key");
  /** Types of parts that shape-shift, with what of them does, or {@code hash index}: all that there are. */
  private static final Set<String> PARTS = Set.of(
      "shapeshift.stringDictionary ids", "shapeshift.stringDictionary indexes",
      "shapeshift.stringDictionary dictionary",
      "shapeshift.long", "shapeshift.long hash index", "shapeshift.double", "shapeshift.double hash index",
      "shapeshift.float", "shapeshift.float hash index",
      "shapeshift.complex", "shapeshift.nested",
      "shapeshift.nestedCommonFormat __encodedColumn", "shapeshift.nestedCommonFormat __longColumn",
      "shapeshift.nestedCommonFormat __doubleColumn", "shapeshift.nestedCommonFormat __valueIndexes",
      "shapeshift.nestedCommonFormat __arrayElementIndexes", "shapeshift.nestedCommonFormat __stringDictionary",
      "shapeshift.nestedCommonFormat __longDictionary", "shapeshift.nestedCommonFormat __doubleDictionary"
  );
  /** Of a damaged bitmap of nulls, which is Druid's: it has a row that is not there, whose time Druid asks for. */
  private static final Pattern OF_NO_ROW =
      Pattern.compile("Column\\[(__base/)?__time]: position \\d+ is asked for, .*");
  /** Of an error that is about a chunk: its place and form. Of where a chunk begins and ends no form tells. */
  private static final Pattern OF_A_CHUNK = Pattern.compile(
      "chunk \\d+ (at offset \\d+( of its index)? \\([a-z0-9-]+\\)|of its index (goes from|has the lists)) ?.*");
  /** Those of Druid's that have a bit set by ids of strings. */
  private static final List<String> BIT_SETS_BY_ID = List.of(
      "org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn$",
      "org.apache.druid.segment.DimensionSelectorUtils$",
      "org.apache.druid.query.filter.vector.SingleValueStringVectorValueMatcher$",
      "org.apache.druid.query.filter.vector.MultiValueStringVectorValueMatcher$"
  );
  /** Druid's dictionary of arrays, which it reads itself: it makes an array of any length that damaged bytes tell. */
  private static final String STOCK_LENGTHS = "." + ColumnSerializerUtils.ARRAY_DICTIONARY_FILE_NAME;
  /** Its values and its index are Druid's own. */
  private static final String SPATIAL = "place";
  /**
   * Far more than any column of the test takes intact; no count in a damaged one may be taken for a length. Rows that
   * the test keeps before a read is refused are in it; what {@link #ofDruidAndTest} allows comes on top.
   */
  private static final long MOST_ALLOCATED = 1L << 28;
  /** That the test takes for each row that is read. */
  private static final int BYTES_PER_ROW = 256;
  private static final long MOST_NANOS = 10_000_000_000L;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir
  private File folder;

  /** Name of the virtual column by which a field of a nested column is read. */
  private static final String FIELD = "field";

  /** A column, and the segment that it is of, and the paths of its fields if it is nested. */
  private record Subject(String spec, StoredSegment.Column column, QueryableIndex index, ColumnDescriptor descriptor,
      Map<String, byte[]> files, List<String> paths) {
    String name() {
      return column.name();
    }

    int numRows() {
      return index.getNumRows();
    }

    /** How many blocks the ids of a column of strings have that has a dictionary of ours; 0 of other columns. */
    int numBlocks() {
      if (!parts().contains(column.partType() + " dictionary")) {
        return 0;
      }
      // Behind Druid's version and flags.
      final ByteBuffer part = ByteBuffer.wrap(files.get(column.file())).position(1 + Integer.BYTES);
      StringDictionary.read(name(), part);
      return ShapeShiftingColumnarIntsSupplier.read(name(), part.order(ByteOrder.nativeOrder())).data().chunks()
          .stream().mapToInt(ChunkInfo::numBlocks).sum();
    }

    /** What of it shape-shifts, as {@link #PARTS} has it. */
    List<String> parts() {
      final List<String> parts = new ArrayList<>();
      for (String property : List.of("parts", "files")) {
        column.part().path(property).forEach(part -> parts.add(column.partType() + " " + part.asText()));
      }
      if (parts.isEmpty()) {
        parts.add(column.partType());
      }
      if (column.part().path("hashIndex").asBoolean()) {
        parts.add(column.partType() + " hash index");
      }
      return parts;
    }

    @Override
    public String toString() {
      return name() + " of " + spec;
    }
  }

  /** How files of the base table begin in segments of version 10. */
  private static final String V10_BASE = "__base/";
  private static final String REFUSED = "refused";
  private static final String REFUSED_BY_DRUID = "refused by Druid";

  /** The files of one column. */
  private record Files(Map<String, ByteBuffer> files) implements SegmentFileMapper {
    @Override
    public Set<String> getInternalFilenames() {
      return files.keySet();
    }

    @Override
    @Nullable
    public ByteBuffer mapFile(String name) {
      @Nullable final ByteBuffer file = files.get(name);
      return file == null ? null : file.duplicate();
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  private List<Subject> subjects() throws IOException {
    final List<Subject> subjects = new ArrayList<>();
    for (OptimizationTarget target : OptimizationTarget.values()) {
      final EncodingStrategies strategies = TestSegments.withHashIndexes(
          EncodingStrategy.shapeShift(target, BlockSize.SMALL), HASH_INDEXES);
      final IndexSpec spec = ShapeShiftIndexSpec.of(TestSegments.STOCK, strategies);
      subjects.addAll(subjects(EveryColumn.inMemory(1, NUM_ROWS), target + " every", spec, Version.V9));
      subjects.addAll(subjects(NumberRows.inMemory(1, NUM_ROWS, false), target + " numbers", spec, Version.V9));
      final Version version = target == OptimizationTarget.FASTBUTSMALLISH ? Version.V10 : Version.V9;
      subjects.addAll(subjects(AutoColumns.inMemory(1, NUM_ROWS), target + " auto", spec, version));
      subjects.addAll(subjects(
          TestSegments.rowsInMemory(NestedRows.schema(), NestedRows.rows(1, NUM_ROWS)),
          target + " nested",
          spec,
          version
      ));
      if (target == OptimizationTarget.FASTBUTSMALLISH) {
        subjects.addAll(subjects(manyRows(), target + " many", spec, Version.V10));
      }
    }
    return subjects;
  }

  private List<Subject> subjects(IncrementalIndex rows, String name, IndexSpec spec, Version version)
      throws IOException {
    final File segment = TestSegments.persist(rows, new File(folder, name), spec, version);
    final QueryableIndex index = TestSegments.open(segment);
    final List<Subject> subjects = new ArrayList<>();
    try (StoredSegment stored = StoredSegment.open(segment)) {
      for (StoredSegment.Column column : stored.columns()) {
        if (column.partType().startsWith("shapeshift") && isOfBase(column) && !column.name().equals(SPATIAL)) {
          subjects.add(subject(name + " " + version, index, column));
        }
      }
    }
    return subjects;
  }

  /** Rows whose columns look another way every few blocks. */
  private static IncrementalIndex manyRows() {
    final RandomData random = new RandomData(1);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < MANY_ROWS; i++) {
      final int era = i / 3000;
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(i * 1000L).toString());
      row.put("word", era % 2 == 0 ? "w" + random.nextInt(60) : "p" + i / 50);
      row.put("key", era % 2 == 0 ? i : random.nextInt(1 << 20));
      row.put("autoLong", random.nextInt(5) == 0 ? null : (long) (era % 2 == 0 ? random.nextInt(300) : era));
      row.put("real", era % 2 == 0 ? random.nextInt(1000) / 4.0 : random.nextDouble());
      rows.add(row);
    }
    final List<DimensionSchema> dimensions = List.of(
        new StringDimensionSchema("word"), new LongDimensionSchema("key"), AutoTypeColumnSchema.of("autoLong"),
        new DoubleDimensionSchema("real"));
    return TestSegments.rowsInMemory(
        IncrementalIndexSchema.builder().withDimensionsSpec(new DimensionsSpec(dimensions)).withRollup(false).build(),
        rows);
  }

  private static boolean isOfBase(StoredSegment.Column column) {
    return column.file().equals(column.name()) || column.file().equals(V10_BASE + column.name());
  }

  private static Subject subject(String segment, QueryableIndex index, StoredSegment.Column column) {
    final Map<String, byte[]> files = new TreeMap<>();
    files.put(column.file(), bytes(column.body()));
    column.files().forEach((name, file) -> files.put(column.file() + "." + name, bytes(file)));
    final ColumnDescriptor descriptor = TestSegments.JSON.convertValue(column.descriptor(), ColumnDescriptor.class);
    return new Subject(segment, column, index, descriptor, files, paths(index, column.name()));
  }

  /** Returns the paths of the fields of a nested column; none of another column. */
  private static List<String> paths(QueryableIndex index, String column) {
    try (BaseColumn read = index.getColumnHolder(column).getColumn()) {
      return read instanceof NestedDataComplexColumn nested
             ? nested.getNestedFields().stream().map(NestedPathFinder::toNormalizedJsonPath).toList()
             : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    final byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** What the subjects have of parts, versions and forms: all parts, and of forms what the writers chose. */
  private static void checkSubjects(List<Subject> subjects, Map<Totals.Metric, Long> writtenBefore) {
    final Map<String, Integer> parts = new TreeMap<>();
    final Map<String, Set<String>> forms = new TreeMap<>();
    for (Subject subject : subjects) {
      subject.parts().forEach(part -> parts.merge(part, 1, Integer::sum));
      final String own = subject.column().file();
      final Reads intact = new Reads(subject, own, ByteBuffer.wrap(subject.files().get(own)), null, List.of());
      intact.all().forEach(read -> assertFalse(read.startsWith(REFUSED), () -> subject + ": " + read));
      assertTrue(intact.isNamed, subject::toString);
    }
    Totals.forEach((written, bytes) -> {
      final Map<String, String> of = written.dimensions();
      if (of.containsKey("form") && bytes > writtenBefore.getOrDefault(written, 0L)) {
        forms.computeIfAbsent(of.get("part"), part -> new TreeSet<>()).add(of.get("form"));
      }
    });
    System.out.println("Parts of the columns: " + parts + ", forms: " + forms);
    assertEquals(new TreeSet<>(PARTS), parts.keySet());
    assertTrue(
        subjects.stream().anyMatch(each -> each.numRows() == MANY_ROWS && each.numBlocks() > BLOCKS_PER_GROUP),
        "one group of blocks only"
    );
  }

  @Test
  void everyReadIsOfTheColumnOrRefused() throws Exception {
    final Map<Totals.Metric, Long> writtenBefore = new HashMap<>();
    Totals.forEach(writtenBefore::put);
    final List<Subject> written = subjects();
    checkSubjects(written, writtenBefore);
    final List<Subject> subjects =
        written.stream().filter(each -> PARTS_TO_DAMAGE.matcher(each.column().partType()).matches()).toList();
    final long seed = RandomData.shared(0).nextLong();
    final Tried all = new Tried();
    try {
      // Threads of their own also have short stacks, which each of the many exceptions writes down.
      final int numThreads = Runtime.getRuntime().availableProcessors();
      final ExecutorService threads = Execs.multiThreaded(numThreads, "damaged-%d");
      final List<Future<Tried>> shares = IntStream.range(0, numThreads)
          .mapToObj(share -> threads.submit(() -> tryInputs(subjects, seed, share, numThreads))).toList();
      threads.shutdown();
      for (Future<Tried> share : shares) {
        all.add(share.get());
      }
    } finally {
      written.forEach(subject -> subject.index().close());
    }
    System.out.println(INPUTS + " damaged inputs of " + subjects.size() + " columns, reads: " + all.outcomes
        + ", at most " + all.mostNanos / 1_000_000 + " ms and " + all.mostAllocated / 1024
        + " KiB for all reads of one");
    if (!all.faults.isEmpty()) {
      final AssertionError error = new AssertionError(all.faults.size() + " kinds of faults: " + all.faults.keySet());
      all.faults.values().forEach(error::addSuppressed);
      throw error;
    }
  }

  /** What came of inputs. */
  private static final class Tried {
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private final Map<String, AssertionError> faults = new TreeMap<>();
    private long mostAllocated;
    private long mostNanos;

    private void add(Tried other) {
      other.outcomes.forEach((outcome, count) -> outcomes.merge(outcome, count, Integer::sum));
      other.faults.forEach(faults::putIfAbsent);
      mostAllocated = Math.max(mostAllocated, other.mostAllocated);
      mostNanos = Math.max(mostNanos, other.mostNanos);
    }
  }

  /** Tries one input in so many, from one of the first on. */
  private static Tried tryInputs(List<Subject> subjects, long seed, int first, int step) throws IOException {
    final GuardedMemory guarded = new GuardedMemory(
        subjects.stream().flatMap(each -> each.files().values().stream()).mapToInt(file -> file.length).max()
            .orElseThrow());
    final Tried tried = new Tried();
    for (int i = FIRST + first; i < FIRST + INPUTS; i += step) {
      final RandomData random = new RandomData(seed + i);
      final Subject subject = subjects.get(i % subjects.size());
      final String what = "input " + i + ": " + subject;
      try {
        final List<String> names =
            subject.files().keySet().stream().filter(name -> !name.endsWith(STOCK_LENGTHS)).toList();
        final String damaged = random.oneOf(names);
        final byte[] others = random.oneOf(List.copyOf(random.oneOf(subjects).files().values()));
        final byte[] bytes = Damage.any(subject.files().get(damaged), others, random);
        @Nullable final VirtualColumn field = field(subject, random);
        final List<DimFilter> filters = filters(field == null ? subject.name() : FIELD, random);

        final long allocated = THREADS.getCurrentThreadAllocatedBytes();
        final long start = THREADS.getCurrentThreadCpuTime();
        final Reads reads =
            new Reads(subject, damaged, guarded.put(bytes, (byte) 0xAA, ByteOrder.nativeOrder()), field, filters);
        final List<String> found = reads.all();
        final long nanos = THREADS.getCurrentThreadCpuTime() - start;
        final long taken = THREADS.getCurrentThreadAllocatedBytes() - allocated;
        tried.mostNanos = Math.max(tried.mostNanos, nanos);
        tried.mostAllocated = Math.max(tried.mostAllocated, taken);
        if (nanos > MOST_NANOS
            || (taken > MOST_ALLOCATED && taken - ofDruidAndTest(reads) > MOST_ALLOCATED)) {
          tried.faults.computeIfAbsent(
              "much of time or memory", kind -> new AssertionError(what + ": " + nanos + " ns, " + taken + " bytes"));
        }

        final List<String> again = new Reads(
            subject,
            damaged,
            GuardedMemory.poisoned(bytes, (byte) 0x55, ByteOrder.nativeOrder()),
            field,
            filters
        ).all();
        assertEquals(found, again);
        for (String read : found) {
          tried.outcomes.merge(read.startsWith(REFUSED) ? read : "read", 1, Integer::sum);
        }
      } catch (RuntimeException | AssertionError | InternalError e) {
        tried.faults.computeIfAbsent(origin(e), origin -> new AssertionError(what, e));
      }
    }
    return tried;
  }

  /**
   * Bytes that Druid and the test may take of a damaged column. Druid's selectors have two sets of bits that reach to
   * the largest id, be it in the dictionary or not, and each filter is asked twice. The test keeps all rows, and a
   * bitmap of nulls, which is Druid's, may say of many more than there are that they are null.
   */
  private static long ofDruidAndTest(Reads reads) {
    return 2L * NUM_FILTERS * 2 * reads.largestId() / Byte.SIZE + reads.numRows * BYTES_PER_ROW;
  }

  /** The line of code that threw what all else is because of: faults of one origin are one. */
  private static String origin(Throwable e) {
    Throwable origin = e;
    while (origin.getCause() != null) {
      origin = origin.getCause();
    }
    final String where = Arrays.stream(origin.getStackTrace())
        .filter(frame -> !frame.getClassName().startsWith("java.") && !frame.getClassName().startsWith("org.junit."))
        .findFirst().map(StackTraceElement::toString).orElse("");
    return origin.getClass().getName() + " at " + where;
  }

  /** Returns a field of a nested column, as it is or cast; null for the column itself, as other columns always are. */
  @Nullable
  private static VirtualColumn field(Subject subject, RandomData random) {
    if (subject.paths().isEmpty() || random.nextInt(4) == 0) {
      return null;
    }
    final ColumnType[] types = {null, null, ColumnType.STRING, ColumnType.LONG, ColumnType.DOUBLE};
    return new NestedFieldVirtualColumn(
        subject.name(), random.oneOf(subject.paths()), FIELD, types[random.nextInt(types.length)]);
  }

  private static List<DimFilter> filters(String column, RandomData random) {
    final long number = random.oneOf(List.of(0L, 1L, 5L, 100L, 500L, -1L, Long.MAX_VALUE));
    final String text = random.oneOf(List.of("p105", "s0", "m7", "w3", "c", "", "u12", "word", "5"));
    final List<DimFilter> all = List.of(
        NullFilter.forColumn(column),
        new EqualityFilter(column, ColumnType.LONG, number, null),
        new EqualityFilter(column, ColumnType.STRING, text, null),
        new TypedInFilter(column, ColumnType.LONG, List.of(number, 3L, 77L, 501L), null, null),
        new InDimFilter(column, Set.of(text, "p101", "p399", "z")),
        new LikeDimFilter(column, "%1%", null, null),
        new LikeDimFilter(column, text + "%", null, null),
        new RangeFilter(column, ColumnType.DOUBLE, number - 40.5, number + 30.0, false, true, null),
        new RangeFilter(column, ColumnType.STRING, text, null, true, false, null)
    );
    return Stream.generate(() -> random.oneOf(all)).limit(NUM_FILTERS).toList();
  }

  /** All reads of a column with one damaged file. */
  private static final class Reads {
    private final Subject subject;
    /** Whether errors can name the column: the only one that has the name of a column of type auto is its own file. */
    private final boolean isNamed;
    @Nullable
    private final VirtualColumn field;
    private final List<DimFilter> filters;
    private final Supplier<BaseColumnHolder> holder;
    private final QueryableIndex index;
    /** Of all reads together. */
    private long numRows;

    Reads(
        Subject subject,
        String damaged,
        ByteBuffer bytes,
        @Nullable VirtualColumn field,
        List<DimFilter> filters
    ) {
      this.subject = subject;
      this.field = field;
      this.isNamed =
          !damaged.equals(subject.column().file()) || !subject.column().part().has("stock") || hasName(bytes, damaged);
      this.filters = filters;
      final Map<String, ByteBuffer> files = new HashMap<>();
      subject.files().forEach((name, file) -> files.put(name, ByteBuffer.wrap(file).order(bytes.order())));
      files.put(damaged, bytes);
      final Files mapper = new Files(files);
      final String own = subject.column().file();
      this.holder = () -> subject.descriptor().read(mapper.mapFile(own), ColumnConfig.DEFAULT, mapper, null);
      final Map<String, com.google.common.base.Supplier<BaseColumnHolder>> columns = new HashMap<>();
      final BaseColumnHolder time = subject.index().getColumnHolder(ColumnHolder.TIME_COLUMN_NAME);
      columns.put(ColumnHolder.TIME_COLUMN_NAME, () -> time);
      columns.put(subject.name(), holder::get);
      this.index = new SimpleQueryableIndex(
          Intervals.ETERNITY, new ListIndexed<>(List.of(subject.name())), RoaringBitmapFactory.INSTANCE, columns, mapper
      ) {
        @Override
        public int getNumRows() {
          return subject.numRows();
        }

        @Override
        @Nullable
        public Metadata getMetadata() {
          return null;
        }
      };
    }

    /** Whether the file of a column of type auto begins with its name, behind a version and the name's length. */
    private static boolean hasName(ByteBuffer file, String name) {
      final byte[] utf8 = StringUtils.toUtf8(name);
      final ByteBuffer begin = ByteBuffer.allocate(1 + VByte.computeIntSize(utf8.length) + utf8.length);
      VByte.writeInt(begin.position(1), utf8.length);
      begin.put(utf8).flip().position(1);
      return file.remaining() >= begin.limit()
          && file.slice(file.position() + 1, begin.remaining()).equals(begin);
    }

    /** What each read gives: that it is refused, or a hash of the values. */
    List<String> all() {
      final List<String> all = new ArrayList<>();
      final List<String> columns = List.of(field == null ? subject.name() : FIELD);
      final List<DimFilter> noneAndFilters = new ArrayList<>(filters);
      noneAndFilters.add(0, null);
      for (@Nullable final DimFilter filter : noneAndFilters) {
        final CursorBuildSpec spec = CursorBuildSpec
            .builder()
            .setFilter(filter == null ? null : filter.toFilter())
            .setVirtualColumns(field == null ? VirtualColumns.EMPTY : VirtualColumns.create(field))
            .build();
        all.add(read("rows of " + filter, () -> CursorRows.rowByRow(index, columns, spec)));
        all.add(read("vectors of " + filter, () -> CursorRows.byVectors(index, columns, spec)));
      }
      all.add(read("single values", this::singleValues));
      return all;
    }

    /** One reader of some texts or rows, in one order and then in another. */
    private String singleValues() {
      try (BaseColumn column = holder.get().getColumn()) {
        if (!(column instanceof DictionaryEncodedColumn<?> dictionary)) {
          return "none";
        }
        final int cardinality = Math.min(dictionary.getCardinality(), 500);
        final String[] up = new String[cardinality];
        for (int id = 0; id < cardinality; id += 3) {
          up[id] = text(dictionary, id);
        }
        for (int id = (cardinality - 1) / 3 * 3; id >= 0; id -= 3) {
          assertEquals(up[id], text(dictionary, id), "id " + id);
        }
        return Arrays.toString(up);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    /** The largest id of a row that can be read. */
    int largestId() {
      int largest = 0;
      try (BaseColumn column = holder.get().getColumn()) {
        if (column instanceof DictionaryEncodedColumn<?> ids && !ids.hasMultipleValues()) {
          for (int row = 0; row < subject.numRows(); row++) {
            largest = Math.max(largest, idOf(ids, row));
          }
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      return largest;
    }

    private static int idOf(DictionaryEncodedColumn<?> ids, int row) {
      try {
        return ids.getSingleValueRow(row);
      } catch (ColumnFormatException e) {
        return 0;
      }
    }

    private String text(DictionaryEncodedColumn<?> dictionary, int id) {
      return read("id " + id, () -> dictionary.lookupName(id));
    }

    private String read(String what, Supplier<Object> read) {
      try {
        final Object values = read.get();
        numRows += values instanceof Collection<?> rows ? rows.size() : 1;
        return "read " + Objects.hashCode(values);
      } catch (ColumnFormatException e) {
        // What codecs say of the same bytes differs.
        if (!subject.name().equals(ColumnHolder.TIME_COLUMN_NAME) && OF_NO_ROW.matcher(e.getMessage()).matches()) {
          return REFUSED_BY_DRUID;
        }
        final String start = "Column[" + (isNamed ? subject.column().file() : "");
        assertTrue(e.getMessage().startsWith(start), () -> subject + ": " + e.getMessage());
        final String found = e.getMessage().substring(e.getMessage().indexOf("]: ") + 3);
        assertTrue(!found.startsWith("chunk ") || OF_A_CHUNK.matcher(found).matches(), e.getMessage());
        return REFUSED;
      } catch (RuntimeException | AssertionError e) {
        if (isOfStockPart(e)) {
          return REFUSED_BY_DRUID;
        }
        throw new AssertionError(what, e);
      } catch (InternalError e) {
        throw new AssertionError(what, e);
      }
    }

    /**
     * Whether Druid's own code throws, not ours. It reads what is Druid's own, bitmaps of nulls and files of nested
     * values; it asserts that times are not null; and it may find ids in damaged rows that no bit set has room for.
     */
    private boolean isOfStockPart(Throwable e) {
      Throwable origin = e;
      while (origin.getCause() != null) {
        origin = origin.getCause();
      }
      final boolean isString = subject.descriptor().getValueType().equals(ValueType.STRING);
      return Arrays.stream(origin.getStackTrace())
          .map(StackTraceElement::getClassName)
          .filter(name -> !name.startsWith("java."))
          .findFirst()
          .filter(name -> isString
              ? BIT_SETS_BY_ID.stream().anyMatch(name::startsWith)
              : name.startsWith("org.roaringbitmap.") || name.startsWith("org.apache.druid."))
          .isPresent();
    }
  }
}
