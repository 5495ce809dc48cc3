package io.tsdbsuite.trigger.report;

import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportReader;
import io.tsdbsuite.planner.report.ReportStore;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.ObjectStore.StoredObject;
import io.tsdbsuite.trigger.s3.S3Location;
import java.io.IOException;
import java.time.LocalDate;
import java.util.Optional;

/**
 * The reports on S3: {@code <REPORT_ROOT>/<day>.json} of the runs, {@code coverage-<day>.json} of
 * the looks at their rollups in HBase, {@code load-<day>.json} of the loads of their HFiles, {@code
 * verify-<day>.json} of their verifications, {@code tiers-<day>.json} of tiers prove, beside the
 * page of tiers plan.
 */
public record S3Reports(ObjectStore store, S3Location root) implements ReportStore {
  /** The location of a day's report, which need not exist. */
  public S3Location place(LocalDate day) {
    return root.resolve(day + ".json");
  }

  /** The location of the report of the last look at a day's rollups, which need not exist. */
  public S3Location coveragePlace(LocalDate day) {
    return root.resolve("coverage-" + day + ".json");
  }

  /** The location of the report of the last verification of a day, which need not exist. */
  public S3Location verifyPlace(LocalDate day) {
    return root.resolve("verify-" + day + ".json");
  }

  /** The location of the report of the last load of a day's HFiles, which need not exist. */
  public S3Location loadPlace(LocalDate day) {
    return root.resolve("load-" + day + ".json");
  }

  /**
   * The location of a file of tiers, which need not exist.
   *
   * @param day of the night
   * @param ending json for the report of tiers prove, html for the page of tiers plan
   */
  public S3Location tiersPlace(LocalDate day, String ending) {
    return root.resolve("tiers-" + day + "." + ending);
  }

  @Override
  public String location(LocalDate day) {
    return place(day).hadoopUri();
  }

  /**
   * The report of a day; empty when it does not exist or is not JSON.
   *
   * @throws IOException when S3's response ends early
   */
  @Override
  public Optional<JobReport> find(LocalDate day) throws IOException {
    return read(place(day));
  }

  /**
   * The report of the last look at a day's rollups; empty when it does not exist or is not JSON.
   *
   * @throws IOException when S3's response ends early
   */
  public Optional<JobReport> findCoverage(LocalDate day) throws IOException {
    return read(coveragePlace(day));
  }

  /**
   * The report of the last verification of a day; empty when it does not exist or is not JSON.
   *
   * @throws IOException when S3's response ends early
   */
  public Optional<JobReport> findVerification(LocalDate day) throws IOException {
    return read(verifyPlace(day));
  }

  /**
   * The report of the last load of a day's HFiles; empty when it does not exist or is not JSON.
   *
   * @throws IOException when S3's response ends early
   */
  public Optional<JobReport> findLoad(LocalDate day) throws IOException {
    return read(loadPlace(day));
  }

  private Optional<JobReport> read(S3Location place) throws IOException {
    Optional<StoredObject> found = store.get(place);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (StoredObject object = found.get()) {
      return ReportReader.read(object.stream());
    }
  }
}
