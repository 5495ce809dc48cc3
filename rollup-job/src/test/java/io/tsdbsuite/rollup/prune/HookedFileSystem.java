package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/** The local file system; something happens before each deletion. */
public final class HookedFileSystem extends LocalFileSystem {
  /** Something that happens. */
  interface Hook {
    /** Before a file or directory is deleted. */
    void before(Path path) throws IOException;
  }

  private static volatile Hook hook = path -> {};

  /** Settings that use this file system, with another hook from now on. */
  static Configuration with(Hook next) {
    hook = next;
    Configuration conf = new Configuration();
    conf.set("fs.file.impl", HookedFileSystem.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    return conf;
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    hook.before(path);
    return super.delete(path, recursive);
  }
}
