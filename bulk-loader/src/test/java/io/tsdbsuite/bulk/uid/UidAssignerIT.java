package io.tsdbsuite.bulk.uid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.ToolRun;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The assigner against a real TSD on the same tables. */
class UidAssignerIT {
  private static Stack stack;

  @BeforeAll
  static void start() {
    stack = Stack.in(WorkDirs.fresh("UidAssignerIT")).hbase().start();
  }

  @AfterAll
  static void close() {
    stack.close();
  }

  private static String widthKey(UidKind kind) {
    return StorageSchema.widthKey(kind);
  }

  private static List<RawCell> uidCells(UidStack both) throws IOException {
    return stack.hbase().cells(both.schema.uidTable());
  }

  private static long counter(UidStack both, UidKind kind) throws IOException {
    return uidCells(both).stream()
        .filter(cell -> cell.row().length == 1 && cell.row()[0] == 0)
        .filter(cell -> text(cell.qualifier()).equals(kind.qualifier()))
        .mapToLong(cell -> Uids.read(cell.value(), 0, 8))
        .findFirst()
        .orElse(0);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource({"3,3,3,0,false", "1,2,4,1,false", "4,1,2,2,true", "2,4,1,0,true", "7,8,8,1,true"})
  void bothFindWhatTheOtherMade(int metric, int tagk, int tagv, int salt, boolean random)
      throws IOException {
    Map<String, String> conf = new HashMap<>();
    conf.put(widthKey(UidKind.METRIC), Integer.toString(metric));
    conf.put(widthKey(UidKind.TAGK), Integer.toString(tagk));
    conf.put(widthKey(UidKind.TAGV), Integer.toString(tagv));
    conf.put("tsd.storage.salt.width", Integer.toString(salt));
    conf.put("tsd.core.uid.random_metrics", Boolean.toString(random));
    String name = "w" + metric + tagk + tagv + salt;
    try (UidStack both = UidStack.start(stack, name, conf)) {
      both.tsd
          .client()
          .put(List.of(new DataPoint("theirs", UidStack.TIME, 1L, Map.of("host", "web01"))));
      NewSeries theirs = both.fresh(false).resolve("theirs", "host", "web01");
      assertThat(both.tsuid(theirs)).isEqualTo(both.tsdTsuid(theirs));

      // A tag value like a metric, a key older and a key newer than the TSD's.
      NewSeries ours = both.resolve("ours", "z.h\u00f6st", "theirs", "host", "\u00fcber/web-02");
      both.put(ours, 2);
      assertThat(both.tsdTsuid(ours)).isEqualTo(both.tsuid(ours));
      assertThat(both.fresh(false).resolve("ours", ours.tags().toArray(new String[0])).template())
          .isEqualTo(ours.template());
      assertRowKey(both, ours);

      assertThatThrownBy(() -> both.tsd.client().get("api/uid/assign?metric=ours"))
          .isInstanceOf(TsdException.class)
          .hasMessageContaining("already exists");
      assertThat(both.tsd.client().suggest("metrics", "", 10)).containsExactly("ours", "theirs");
      assertThat(both.tsd.client().suggest("tagv", "th", 10)).containsExactly("theirs");
      assertThat(counter(both, UidKind.METRIC)).isEqualTo(random ? 0 : 2);
      assertThat(counter(both, UidKind.TAGK)).isEqualTo(2);
      assertThat(counter(both, UidKind.TAGV)).isEqualTo(3);

      ToolRun fsck = both.tsd.tool("UidManager", "fsck");
      if (random) {
        // It compares random UIDs with a counter that random assignment does not advance.
        assertThat(fsck.lines(" ERROR "))
            .allMatch(
                line ->
                    line.contains("for metrics but the max")
                        || line.contains("metrics: Found 1 errors"));
      } else {
        assertThat(fsck.exitCode()).as(fsck.output()).isZero();
      }
    }
  }

  /** What the TSD stored is under our template with its base time in it. */
  private static void assertRowKey(UidStack both, NewSeries series) throws IOException {
    byte[] key = series.template().clone();
    RowKey layout = new RowKey(both.schema);
    Uids.write(UidStack.TIME - UidStack.TIME % 3600, key, layout.timeOffset(), 4);
    assertThat(stack.hbase().cells(both.schema.dataTable()))
        .anySatisfy(cell -> assertThat(cell.row()).isEqualTo(key));
  }

  /** Writes a forward mapping alone, as a faulty rename or a restored table leaves it. */
  private static void forward(UidStack both, UidKind kind, String name, byte[] uid)
      throws IOException {
    try (Table table =
        stack.hbase().connection().getTable(TableName.valueOf(both.schema.uidTable()))) {
      table.put(
          new Put(name.getBytes(StandardCharsets.ISO_8859_1))
              .addColumn(UidRow.idFamily(), kind.qualifierBytes(), uid));
    }
  }

  @ParameterizedTest
  @EnumSource(UidKind.class)
  void aNameWhoseUidIsOfAnotherNameIsRefused(UidKind kind) throws IOException {
    try (UidStack both = UidStack.start(stack, "twin" + kind.qualifier(), Map.of())) {
      both.resolve("name", "name", "name");
      byte[] uid = both.uids.uid(kind, "name");
      forward(both, kind, "twin", uid);
      forward(both, kind, "orphan", new byte[] {9, 9, 9});
      for (boolean create : new boolean[] {true, false}) {
        for (String bad : List.of("twin", "orphan")) {
          NewSeries refused =
              both.fresh(create)
                  .resolve(
                      kind == UidKind.METRIC ? bad : "name",
                      kind == UidKind.TAGK ? bad : "name",
                      kind == UidKind.TAGV ? bad : "name");
          assertThat(refused.template()).isNull();
          assertThat(refused.refusal().reason()).isEqualTo(RejectReason.FOREIGN_UID);
          assertThat(refused.refusal().detail())
              .contains(kind.qualifier() + " '" + bad + "'")
              .contains(bad.equals("twin") ? "found 'name'" : "found none");
        }
        assertThat(both.fresh(create).resolve("name", "name", "name").template()).isNotNull();
      }
      assertThat(both.fresh(false).uids.unknown(kind, List.of("twin", "name", "new")))
          .containsExactly("new");
    }
  }

  @Test
  void cellsAreThoseOfATsd() throws IOException {
    try (UidStack both = UidStack.start(stack, "cells", Map.of())) {
      both.tsd.client().put(List.of(new DataPoint("m1", UidStack.TIME, 1L, Map.of("k1", "v1"))));
      List<RawCell> theirs = uidCells(both);
      both.resolve("m2", "k2", "v2");

      // The next UID for each, nothing else; the counters moved by one.
      List<String> cells = uidCells(both).stream().map(UidAssignerIT::withoutTime).toList();
      assertThat(cells).hasSize(2 * theirs.size() - 3);
      for (RawCell cell : theirs) {
        boolean counter = cell.row().length == 1;
        RawCell next =
            new RawCell(
                counter ? cell.row() : next(cell.row()),
                cell.family(),
                cell.qualifier(),
                0,
                next(cell.value()));
        assertThat(cells).contains(withoutTime(next));
      }
    }
  }

  private static byte[] next(byte[] bytes) {
    byte[] next = bytes.clone();
    next[next.length - 1]++;
    return next;
  }

  private static String withoutTime(RawCell cell) {
    return new RawCell(cell.row(), cell.family(), cell.qualifier(), 0, cell.value()).toString();
  }

  @Test
  void aWidthThatIsUsedUpRefusesTheRest() throws IOException {
    try (UidStack both = UidStack.start(stack, "full", Map.of(widthKey(UidKind.TAGV), "1"))) {
      List<NewSeries> series =
          IntStream.range(0, 300).mapToObj(i -> new NewSeries("m", List.of("k", "v" + i))).toList();
      new UidSeriesResolver(both.uids, both.schema).resolve(series);

      assertThat(series.subList(0, 255)).allMatch(one -> one.refusal() == null);
      assertThat(series.subList(255, 300))
          .allMatch(
              one ->
                  one.refusal().reason() == RejectReason.UIDS_EXHAUSTED && one.template() == null);
      assertThat(series.get(255).refusal().detail())
          .isEqualTo(
              "tagv 'v255': a new UID must fit in 1 byte(s) (tsd.storage.uid.width.tagv), found"
                  + " all 255 of them handed out");
      NewSeries late = both.resolve("m", "k", "late");
      assertThat(late.refusal().reason()).isEqualTo(RejectReason.UIDS_EXHAUSTED);
      assertThat(counter(both, UidKind.TAGV)).isEqualTo(255);
      assertThat(both.resolve("m", "k", "v254").template()).isNotNull();
      assertThatThrownBy(() -> both.put(late, 1)).isInstanceOf(TsdException.class);
    }
  }

  @Test
  void randomMetricsThatCollideTryAgain() throws IOException {
    Map<String, String> conf =
        Map.of(widthKey(UidKind.METRIC), "1", "tsd.core.uid.random_metrics", "true");
    try (UidStack both = UidStack.start(stack, "dice", conf)) {
      // Ten tries each: of 100 names, one in 350 runs would have one without a UID.
      List<String> names = IntStream.range(0, 50).mapToObj(i -> "m" + i).toList();

      assertThat(both.uids.resolve(UidKind.METRIC, names)).isEmpty();
      assertThat(names.stream().map(name -> both.uids.uid(UidKind.METRIC, name)[0]).distinct())
          .hasSize(50);
      List<String> more = IntStream.range(50, 350).mapToObj(i -> "m" + i).toList();
      Map<String, SeriesRefusal> refused = both.uids.resolve(UidKind.METRIC, more);
      assertThat(refused).hasSizeBetween(95, 300);
      assertThat(refused.values())
          .allMatch(refusal -> refusal.reason() == RejectReason.UIDS_EXHAUSTED)
          .allMatch(refusal -> refusal.detail().endsWith("found 10 random ones in use"));
      assertThat(counter(both, UidKind.METRIC)).isZero();
    }
  }

  @Test
  void noCreateLeavesTheTableAsItIs() throws IOException {
    try (UidStack both = UidStack.start(stack, "nocreate", Map.of())) {
      both.resolve("m", "k", "v");
      List<RawCell> before = uidCells(both);
      try (UidStack readOnly = both.fresh(false)) {
        List<NewSeries> series =
            List.of(
                new NewSeries("m", List.of("k", "v")),
                new NewSeries("n", List.of("k", "v")),
                new NewSeries("m", List.of("l", "w")),
                new NewSeries("m", List.of("k", "w")),
                new NewSeries("\u4e2d", List.of("k", "v")));
        new UidSeriesResolver(readOnly.uids, both.schema).resolve(series);

        assertThat(series.get(0).template()).isNotNull();
        assertThat(series.subList(1, 4))
            .allMatch(s -> s.refusal().reason() == RejectReason.UNKNOWN_NAME);
        assertThat(series.get(1).refusal().detail())
            .isEqualTo("metrics 'n': must have a UID already with --no-create, found none");
        assertThat(series.get(2).refusal().detail()).startsWith("tagk 'l'");
        assertThat(series.get(3).refusal().detail()).startsWith("tagv 'w'");
        assertThat(series.get(4).refusal().reason()).isEqualTo(RejectReason.ILLEGAL_NAME);
        assertThat(readOnly.uids.unknown(UidKind.TAGV, List.of("a", "v", "b", "a")))
            .containsExactly("a", "b");
      }
      assertThat(uidCells(both)).isEqualTo(before);
    }
  }

  @Test
  void aRefusedSeriesLeavesNoOtherNames() throws IOException {
    try (UidStack both = UidStack.start(stack, "order", Map.of(widthKey(UidKind.METRIC), "1"))) {
      List<String> names = IntStream.range(0, 255).mapToObj(i -> "m" + i).toList();
      assertThat(both.uids.resolve(UidKind.METRIC, names)).isEmpty();

      assertThat(both.resolve("late", "k", "v").refusal().reason())
          .isEqualTo(RejectReason.UIDS_EXHAUSTED);
      assertThat(counter(both, UidKind.TAGK)).isZero();
    }
  }

  @Test
  void leftoversOfKilledProcessesAreLeftAlone() throws IOException {
    try (UidStack both = UidStack.start(stack, "leftovers", Map.of())) {
      both.resolve("m", "k", "v1");
      // Killed after the reverse mapping, and mappings above the counter.
      putReverse(both, 2, "v2");
      putReverse(both, 3, "other");
      byte[] v2 = both.resolve("m", "k", "v2").template();
      byte[] v3 = both.resolve("m", "k", "v3").template();

      assertThat(v2[v2.length - 1]).isEqualTo((byte) 2);
      assertThat(v3[v3.length - 1]).isEqualTo((byte) 4);

      for (int id = 5; id <= 7; id++) {
        putReverse(both, id, "other" + id);
      }
      JobException e = catchThrowableOfType(JobException.class, () -> both.resolve("m", "k", "v4"));
      assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE);
      assertThat(e).hasMessageContaining("tagv 'v4'").hasMessageContaining("uid fsck");
      assertThat(both.resolve("m", "k", "v4").template()).isNotNull();
    }
  }

  private static void putReverse(UidStack both, long id, String name) throws IOException {
    stack
        .hbase()
        .putCells(
            both.schema.uidTable(),
            List.of(
                new RawCell(
                    Uids.bytes(id, 3),
                    "name",
                    UidKind.TAGV.qualifierBytes(),
                    UidStack.TIME,
                    name.getBytes(StandardCharsets.ISO_8859_1))));
  }

  /** Between the look-up of a name and the writing of its mapping. */
  @Test
  void aUidThatAnotherProcessHasJustAssignedIsChecked() throws IOException {
    try (UidStack both = UidStack.start(stack, "between", Map.of())) {
      both.resolve("m", "k", "v");
      RawCell wrong =
          new RawCell(
              "second".getBytes(StandardCharsets.ISO_8859_1),
              "id",
              UidKind.TAGV.qualifierBytes(),
              UidStack.TIME,
              Uids.bytes(1, 3));
      Connection raced =
          beforeIncrement(
              stack.hbase().connection(),
              () -> stack.hbase().putCells(both.schema.uidTable(), List.of(wrong)));
      try (UidAssigner uids = new UidAssigner(raced, both.schema, true)) {
        Map<String, SeriesRefusal> refused = uids.resolve(UidKind.TAGV, List.of("second", "third"));
        assertThat(refused).containsOnlyKeys("second");
        assertThat(refused.get("second").reason()).isEqualTo(RejectReason.FOREIGN_UID);
        assertThat(refused.get("second").detail()).contains("its UID 000001", "found 'v'");
        assertThat(uids.uid(UidKind.TAGV, "third")).isEqualTo(Uids.bytes(3, 3));
        assertThat(uids.assigned(UidKind.TAGV)).isEqualTo(1);
      }
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** A connection whose tables run a step before they increment a counter. */
  private static Connection beforeIncrement(Connection connection, Step step) {
    InvocationHandler tables =
        (proxy, method, args) -> {
          Object answer = method.invoke(connection, args);
          return answer instanceof Table table
              ? proxy(
                  Table.class,
                  (unused, call, values) -> {
                    if (call.getName().equals("increment")) {
                      step.run();
                    }
                    return call.invoke(table, values);
                  })
              : answer;
        };
    return proxy(Connection.class, tables);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            UidAssignerIT.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void anotherWidthThanTheTablesIsRefused() throws IOException {
    try (UidStack both = UidStack.start(stack, "narrow", Map.of())) {
      both.resolve("m", "k", "v");
      StorageSchema wide =
          StorageSchema.from(
              TsdConfig.load(both.tsd.configFile()).with(widthKey(UidKind.TAGK), "4"));
      try (UidAssigner uids = new UidAssigner(stack.hbase().connection(), wide, true)) {
        JobException e =
            catchThrowableOfType(
                JobException.class, () -> uids.resolve(UidKind.TAGK, List.of("k")));
        assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(e)
            .hasMessage(
                "tsd.storage.uid.width.tagk: UIDs must be 4 bytes wide, found 000001 for tagk 'k'"
                    + " in table 'narrow-uid'");
      }
    }
  }

  @Test
  void randomMetricsOfEightBytesAreRefused() throws IOException {
    StorageSchema schema =
        StorageSchema.from(
            TsdConfig.parse("tsd.core.uid.random_metrics=true\ntsd.storage.uid.width.metric=8"));
    assertThatThrownBy(() -> new UidAssigner(stack.hbase().connection(), schema, true))
        .isInstanceOf(JobException.class)
        .hasMessage(
            "tsd.storage.uid.width.metric: must be 7 at most with tsd.core.uid.random_metrics,"
                + " found 8");
  }

  @Test
  void aTableThatFailsIsNamed() throws IOException {
    StorageSchema schema = StorageSchema.from(TsdConfig.parse("tsd.storage.hbase.uid_table=gone"));
    try (UidAssigner uids = new UidAssigner(stack.hbase().connection(), schema, true)) {
      JobException e =
          catchThrowableOfType(
              JobException.class, () -> uids.resolve(UidKind.METRIC, List.of("m")));
      assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE);
      assertThat(e).hasMessageStartingWith("table 'gone' must answer for row m, found: ");
    }
  }
}
