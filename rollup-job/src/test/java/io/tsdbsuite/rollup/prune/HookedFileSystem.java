package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** The local file system; something happens before each deletion or listing. */
public final class HookedFileSystem extends LocalFileSystem {
  /** A setting: how many files a request deletes, which fails as a whole. */
  static final String PAGE = "test.bulk.delete.page.size";

  /** Something that happens. */
  interface Hook {
    /**
     * Before a file or directory is deleted.
     *
     * @throws NotDeletedException to report a deletion that does not happen
     */
    void before(Path path) throws IOException;
  }

  /** The file is not deleted, and is reported as deleted. */
  static final class NotDeletedException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private static volatile Hook hook = path -> {};
  private static volatile Hook listed = path -> {};
  private static final Queue<Path> OPENED = new ConcurrentLinkedQueue<>();

  /** Settings that use this file system, with another hook from now on. */
  static Configuration with(Hook next) {
    hook = next;
    listed = path -> {};
    OPENED.clear();
    Configuration conf = new Configuration();
    conf.set("fs.file.impl", HookedFileSystem.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    return conf;
  }

  /** The same with something that happens before each listing of a directory. */
  static Configuration withListings(Hook next) {
    Configuration conf = with(path -> {});
    listed = next;
    return conf;
  }

  /** How often a file was opened since {@link #with}. */
  static long opened(String suffix) {
    return OPENED.stream().filter(path -> path.toString().endsWith(suffix)).count();
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    OPENED.add(path);
    return super.open(path, bufferSize);
  }

  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    listed.before(path);
    return super.listStatusIterator(path);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    try {
      hook.before(path);
    } catch (NotDeletedException e) {
      return true;
    }
    return super.delete(path, recursive);
  }

  @Override
  public BulkDelete createBulkDelete(Path root) throws IOException {
    int size = getConf().getInt(PAGE, 1);
    if (size == 1) {
      return super.createBulkDelete(root);
    }
    return new BulkDelete() {
      @Override
      public int pageSize() {
        return size;
      }

      @Override
      public Path basePath() {
        return root;
      }

      @Override
      public List<Map.Entry<Path, String>> bulkDelete(Collection<Path> paths) throws IOException {
        for (Path path : paths) {
          delete(path, false);
        }
        return List.of();
      }

      @Override
      public void close() {}
    };
  }
}
