package io.tsdbsuite.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A job on a {@link FlinkCluster}. */
public final class FlinkJob {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Pattern SAVED = Pattern.compile("Savepoint completed\\. Path: (.+)");
  private static final Pattern CHECKPOINT = Pattern.compile("chk-\\d+");
  private static final Set<String> ENDED = Set.of("FINISHED", "FAILED", "CANCELED");
  private static final String RUNNING = "RUNNING";

  private final FlinkRest rest;
  private final FlinkClient client;
  private final Path dir;
  private final String id;

  /**
   * A job that was submitted.
   *
   * @param rest the JobManager
   * @param client the command line
   * @param dir the cluster's directory, with checkpoints and savepoints
   * @param id the job's id
   */
  FlinkJob(FlinkRest rest, FlinkClient client, Path dir, String id) {
    this.rest = rest;
    this.client = client;
    this.dir = dir;
    this.id = id;
  }

  /**
   * The job's id.
   *
   * @return 32 hex digits
   */
  public String id() {
    return id;
  }

  /**
   * The job's state.
   *
   * @return Flink's word for it, for example {@code RUNNING} or {@code RESTARTING}
   * @throws ServerException when the JobManager does not know the job, or does not answer
   */
  public String state() {
    return description().path("state").asText();
  }

  /**
   * Waits until the job and all of its tasks are running.
   *
   * @throws ServerException when it ends, with the reason, or is not running within 2 minutes
   */
  public void awaitRunning() {
    Await.until(
        "all tasks of job " + id + " to run",
        LIMIT,
        () -> rest.find("jobs/" + id).filter(this::isRunning).isPresent());
  }

  private boolean isRunning(JsonNode job) {
    String state = job.path("state").asText();
    if (ENDED.contains(state)) {
      throw new ServerException("job " + id + " is " + state + ": " + failure());
    }
    // A vertex is RUNNING already with one running task.
    for (JsonNode vertex : job.path("vertices")) {
      JsonNode tasks = vertex.path("tasks");
      int running = tasks.path(RUNNING).asInt() + tasks.path("FINISHED").asInt();
      if (running < vertex.path("parallelism").asInt()) {
        return false;
      }
    }
    return state.equals(RUNNING);
  }

  /**
   * Waits for a state.
   *
   * @param state Flink's word for it
   * @throws ServerException when the job does not reach it within 2 minutes
   */
  public void awaitState(String state) {
    Await.until(
        "state " + state + " of job " + id,
        LIMIT,
        () ->
            rest.find("jobs/" + id)
                .filter(job -> job.path("state").asText().equals(state))
                .isPresent());
  }

  /**
   * Why the job failed last.
   *
   * @return the stack trace of the newest failure, empty if there is none
   */
  public String failure() {
    return rest.get("jobs/" + id + "/exceptions")
        .at("/exceptionHistory/entries/0/stacktrace")
        .asText();
  }

  /**
   * How often the job was restored from a checkpoint or savepoint. The start from a given state is
   * the first time.
   *
   * @return the number since its submission
   */
  public long restores() {
    return checkpoints().at("/counts/restored").asLong();
  }

  /**
   * Waits until the job was restored so many times.
   *
   * @param number minimum of {@link #restores}
   * @throws ServerException when it is not within 2 minutes
   */
  public void awaitRestores(long number) {
    Await.until(number + " restores of job " + id, LIMIT, () -> restores() >= number);
  }

  /**
   * Waits until a checkpoint is complete that was triggered after this call.
   *
   * @throws ServerException when there is none within 2 minutes
   */
  public void awaitCheckpoint() {
    // The history starts with the newest, complete or not.
    long newest = checkpoints().at("/history/0/id").asLong();
    Await.until(
        "a checkpoint after " + newest + " of job " + id,
        LIMIT,
        () -> checkpoints().at("/latest/completed/id").asLong() > newest);
  }

  /**
   * The newest retained checkpoint, looked up in the file system: also when the JobManager has
   * ended.
   *
   * @return its directory
   * @throws ServerException when there is none
   */
  public Path latestCheckpoint() {
    try (Stream<Path> files = Files.list(dir.resolve("checkpoints").resolve(id))) {
      return files
          .filter(file -> CHECKPOINT.matcher(file.getFileName().toString()).matches())
          .filter(file -> Files.exists(file.resolve("_metadata")))
          .max(Comparator.comparingLong(FlinkJob::number))
          .orElseThrow(() -> new ServerException("job " + id + " has no complete checkpoint"));
    } catch (IOException e) {
      throw new UncheckedIOException("no checkpoints of job " + id, e);
    }
  }

  private static long number(Path checkpoint) {
    String name = checkpoint.getFileName().toString();
    return Long.parseLong(name.substring(name.indexOf('-') + 1));
  }

  /**
   * Takes a savepoint ({@code flink savepoint}).
   *
   * @return its directory
   * @throws ServerException with the output of the command when it fails
   */
  public Path savepoint() {
    return saved(List.of("savepoint", id, savepoints()));
  }

  /**
   * Takes a savepoint and stops the job ({@code flink stop --savepointPath}).
   *
   * @return the savepoint's directory
   * @throws ServerException with the output of the command when it fails
   */
  public Path stop() {
    return saved(List.of("stop", "--savepointPath", savepoints(), id));
  }

  private String savepoints() {
    return dir.resolve("savepoints").toUri().toString();
  }

  private Path saved(List<String> command) {
    return Path.of(URI.create(client.run(command, SAVED)));
  }

  /**
   * Cancels the job and waits until it is canceled.
   *
   * @throws ServerException when the JobManager refuses, or it is not canceled within 2 minutes
   */
  public void cancel() {
    rest.patch("jobs/" + id + "?mode=cancel");
    awaitState("CANCELED");
  }

  /**
   * A metric of the operators, summed up over all subtasks.
   *
   * @param name its name, without scope or with the end of it: {@code numRecordsIn}, or {@code
   *     group.name} for a metric in a group
   * @return the sum, empty if no operator has reported it yet
   */
  public OptionalDouble metric(String name) {
    double sum = 0;
    boolean found = false;
    for (JsonNode vertex : description().path("vertices")) {
      String path = "jobs/" + id + "/vertices/" + vertex.path("id").asText() + "/subtasks/metrics";
      List<String> names = new ArrayList<>();
      for (JsonNode metric : rest.get(path)) {
        String known = metric.path("id").asText();
        if (known.equals(name) || known.endsWith("." + name)) {
          names.add(URLEncoder.encode(known, StandardCharsets.UTF_8));
        }
      }
      if (!names.isEmpty()) {
        for (JsonNode metric : rest.get(path + "?agg=sum&get=" + String.join(",", names))) {
          sum += metric.path("sum").asDouble();
          found = true;
        }
      }
    }
    return found ? OptionalDouble.of(sum) : OptionalDouble.empty();
  }

  private JsonNode description() {
    return rest.get("jobs/" + id);
  }

  private JsonNode checkpoints() {
    return rest.get("jobs/" + id + "/checkpoints");
  }
}
