package io.tsdbsuite.bulk.journal;

import io.tsdbsuite.bulk.report.RejectFile;
import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Work directory of a load: the files that a resume needs. One process at a time.
 *
 * <pre>
 *   lock            held while a process works here
 *   journal         finished steps
 *   runs/           partial hours; side files of a run have its name up to the first dot
 *   rejected.*      lines that were not loaded, by form
 *   report.json     its result
 * </pre>
 */
public final class WorkDir implements Closeable {
  private static final String LOCK = "lock";
  private static final String JOURNAL = "journal";
  private static final String RUNS = "runs";
  private static final String REJECTED = "rejected.txt";
  private static final String REPORT = "report.json";
  private static final Set<String> OURS = ours();

  private final Path directory;
  private final FileChannel lock;
  private final Journal journal;
  private final LoadState before;

  private static Set<String> ours() {
    Set<String> names = new HashSet<>(Set.of(LOCK, JOURNAL, RUNS, REPORT));
    for (RejectForm form : RejectForm.values()) {
      names.add(RejectFile.path(Path.of(REJECTED), form).toString());
    }
    return names;
  }

  private WorkDir(Path directory, FileChannel lock, Journal journal, LoadState before) {
    this.directory = directory;
    this.lock = lock;
    this.journal = journal;
    this.before = before;
  }

  /**
   * Opens a directory for a new load and creates it if absent. Files of a finished load in it are
   * removed.
   *
   * @throws JobException usage, when another process works there, when a load that is not done can
   *     be resumed from it, or when it has files that are no work directory's; outside, when the
   *     disk fails
   */
  public static WorkDir create(Path directory) {
    return open(directory, true);
  }

  /**
   * The directory of a load that is not done. Temporary files, and runs that are not in the
   * journal, are removed.
   *
   * @throws JobException usage, when there is no load, when it is done, when another process works
   *     there, when the journal is damaged, or when a run is missing; outside, when the disk fails
   */
  public static WorkDir resume(Path directory) {
    requireJournal(directory);
    return open(directory, false);
  }

  /**
   * The command line of the load in a directory, which is not opened.
   *
   * @throws JobException usage, when there is none, or the journal is damaged
   */
  public static List<String> arguments(Path directory) {
    return JournalReader.read(requireJournal(directory))
        .state()
        .started()
        .orElseThrow(() -> noLoad(directory))
        .arguments();
  }

  private static Path requireJournal(Path directory) {
    Path file = directory.resolve(JOURNAL);
    if (!Files.isRegularFile(file)) {
      throw noLoad(directory);
    }
    return file;
  }

  private static JobException noLoad(Path directory) {
    return JobException.usage("there is no load to resume in " + directory);
  }

  /**
   * The state of a load that can be resumed. The directory is not opened, and stays as it is.
   *
   * @throws JobException usage, when there is none, when it is done, or the journal is damaged
   */
  public static LoadState look(Path directory) {
    LoadState state = JournalReader.read(requireJournal(directory)).state();
    requireResumable(directory, state);
    return state;
  }

  /**
   * Checks that a new load could use a directory, which stays as it is.
   *
   * @throws JobException usage, as {@link #create}, except that a lock is not looked at
   */
  public static void requireFree(Path directory) {
    try {
      requireOurs(directory);
      requireReplaceable(directory);
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  private static WorkDir open(Path directory, boolean create) {
    try {
      if (create) {
        requireOurs(directory);
        Files.createDirectories(directory.resolve(RUNS));
      }
      FileChannel lock = lock(directory);
      try {
        return create ? fresh(directory, lock) : again(directory, lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  /** Takes the lock of the operating system, which ends with the process. */
  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean taken = false;
    try {
      taken = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // This process has it.
    } finally {
      if (!taken) {
        channel.close();
      }
    }
    if (!taken) {
      throw JobException.usage("another process works in the work directory " + directory);
    }
    return channel;
  }

  private static void requireOurs(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    if (!Files.isDirectory(directory)) {
      throw JobException.usage("the work directory must be a directory, found " + directory);
    }
    for (Path file : list(directory)) {
      if (!OURS.contains(file.getFileName().toString())) {
        throw JobException.usage(
            "the work directory must be empty, or of an earlier load, found " + file);
      }
    }
  }

  private static WorkDir fresh(Path directory, FileChannel lock) throws IOException {
    requireReplaceable(directory);
    Path file = directory.resolve(JOURNAL);
    Files.deleteIfExists(file);
    for (RejectForm form : RejectForm.values()) {
      Files.deleteIfExists(RejectFile.path(directory.resolve(REJECTED), form));
    }
    Files.deleteIfExists(directory.resolve(REPORT));
    for (Path run : list(directory.resolve(RUNS))) {
      Files.delete(run);
    }
    JournalReader.Content none = new JournalReader.Content(List.of(), 0);
    Journal journal = Journal.open(file, none);
    // The new names are on disk before the first event is.
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
    return new WorkDir(directory, lock, journal, none.state());
  }

  private static void requireReplaceable(Path directory) {
    Path file = directory.resolve(JOURNAL);
    if (Files.exists(file) && !JournalReader.read(file).state().replaceable()) {
      throw JobException.usage(
          ("the work directory %s is of a load that is not done: resume it, choose another"
                  + " directory, or remove this one to give that load up")
              .formatted(directory));
    }
  }

  private static void requireResumable(Path directory, LoadState state) {
    if (state.started().isEmpty()) {
      throw JobException.usage(
          "the load in " + directory + " was stopped before it began: start it again");
    }
    if (state.replaceable()) {
      throw JobException.usage(
          "the load in %s has nothing to resume: it ended with exit code %s"
              .formatted(directory, state.finished().orElse(0)));
    }
  }

  private static WorkDir again(Path directory, FileChannel lock) throws IOException {
    Path file = directory.resolve(JOURNAL);
    JournalReader.Content content = JournalReader.read(file);
    LoadState state = content.state();
    requireResumable(directory, state);
    Path runs = Files.createDirectories(directory.resolve(RUNS));
    Set<String> live = new HashSet<>();
    for (String run : state.runs()) {
      if (!Files.exists(runs.resolve(run))) {
        throw JobException.usage("a run that the journal names is missing: " + runs.resolve(run));
      }
      live.add(stem(run));
    }
    for (Path run : list(runs)) {
      String name = run.getFileName().toString();
      if (name.endsWith(".tmp") || !live.contains(stem(name))) {
        Files.delete(run);
      }
    }
    return new WorkDir(directory, lock, Journal.open(file, content), state);
  }

  private static String stem(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  /** The directory. */
  public Path path() {
    return directory;
  }

  /** Directory of the runs. A resume deletes its files that end with {@code .tmp}. */
  public Path runs() {
    return directory.resolve(RUNS);
  }

  /** Where rejected import lines are; the files of other forms are beside it. */
  public Path rejected() {
    return directory.resolve(REJECTED);
  }

  /** The journal, to append to. */
  public Journal journal() {
    return journal;
  }

  /** State when this process opened the directory. */
  public LoadState before() {
    return before;
  }

  /**
   * State now, with the events of this process.
   *
   * @throws JobException outside, when the disk fails
   */
  public LoadState now() {
    return JournalReader.read(directory.resolve(JOURNAL)).state();
  }

  /**
   * Removes the runs of a load that is done.
   *
   * @throws JobException outside, when the disk fails
   */
  public void removeRuns() {
    try {
      for (Path run : list(runs())) {
        Files.delete(run);
      }
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  @Override
  public void close() {
    try (journal) {
      lock.close();
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  private static JobException failed(Path directory, IOException e) {
    return JobException.outside(
        "the work directory " + directory + " cannot be used: " + StorageFailures.reason(e), e);
  }
}
