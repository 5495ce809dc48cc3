package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidName;
import io.tsdbsuite.job.JobException;
import java.util.Locale;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** Messages about names and about the UID table. */
final class UidProblems {
  private final StorageSchema schema;

  UidProblems(StorageSchema schema) {
    this.schema = schema;
  }

  /** Whether new names of this kind get random UIDs. */
  boolean isRandom(UidKind kind) {
    return kind == UidKind.METRIC && schema.randomMetrics();
  }

  SeriesRefusal illegal(UidKind kind, IllegalArgumentException why) {
    return new SeriesRefusal(RejectReason.ILLEGAL_NAME, kind.qualifier() + ": " + why.getMessage());
  }

  SeriesRefusal withoutUid(UidKind kind, NewName name) {
    return new SeriesRefusal(
        RejectReason.UNKNOWN_NAME,
        named(kind, name) + ": must have a UID already with --no-create, found none");
  }

  /**
   * A name whose UID is not its own.
   *
   * @param owner name of the UID in the table, null if it has none
   */
  SeriesRefusal foreign(UidKind kind, NewName name, byte[] uid, byte @Nullable [] owner) {
    return new SeriesRefusal(
        RejectReason.FOREIGN_UID,
        ("%s: its UID %s must have this name in table '%s', found %s; `tsdb uid fsck`"
                + " says more")
            .formatted(
                named(kind, name),
                Bytes.toHex(uid),
                schema.uidTable(),
                owner == null ? "none" : "'" + UidName.decode(owner, 0, owner.length) + "'"));
  }

  SeriesRefusal exhausted(UidKind kind, NewName name) {
    int width = schema.width(kind);
    String found =
        isRandom(kind)
            ? "10 random ones in use"
            : "all " + Uids.highest(width) + " of them handed out";
    return new SeriesRefusal(
        RejectReason.UIDS_EXHAUSTED,
        String.format(
            Locale.ROOT,
            "%s: a new UID must fit in %d byte(s) (%s), found %s",
            named(kind, name),
            width,
            StorageSchema.widthKey(kind),
            found));
  }

  JobException tooWideForRandom(int most) {
    return JobException.usage(
        String.format(
            Locale.ROOT,
            "%s: must be %d at most with tsd.core.uid.random_metrics, found %d",
            StorageSchema.widthKey(UidKind.METRIC),
            most,
            schema.width(UidKind.METRIC)));
  }

  JobException wrongWidth(UidKind kind, NewName name, byte[] uid) {
    return JobException.usage(
        String.format(
            Locale.ROOT,
            "%s: UIDs must be %d bytes wide, found %s for %s in table '%s'",
            StorageSchema.widthKey(kind),
            schema.width(kind),
            Bytes.toHex(uid),
            named(kind, name),
            schema.uidTable()));
  }

  JobException taken(UidKind kind, NewName name) {
    return JobException.outside(
        String.format(
            Locale.ROOT,
            "table '%s': UIDs above the counter must be free, found all that were tried for %s in"
                + " use; `tsdb uid fsck` says more",
            schema.uidTable(),
            named(kind, name)));
  }

  private static String named(UidKind kind, NewName name) {
    return kind.qualifier() + " '" + name.text() + "'";
  }
}
