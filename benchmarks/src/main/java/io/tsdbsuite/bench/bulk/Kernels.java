package io.tsdbsuite.bench.bulk;

import java.nio.file.Path;

/** Entry point of the JVMs that run single parts of the loader. */
public final class Kernels {
  private static final int USAGE = 2;

  private Kernels() {}

  /** Arguments: the name of a kernel and its own arguments. Prints its figures. */
  public static void main(String[] args) throws Exception {
    if (args.length == 3 && args[0].equals("encode")) {
      EncodeKernel.run(Long.parseLong(args[1]), Integer.parseInt(args[2]));
    } else if (args.length == 5 && args[0].equals("hfile")) {
      HFileKernel.run(
          Path.of(args[1]), args[2], Long.parseLong(args[3]), Integer.parseInt(args[4]));
    } else if (args.length == 5 && args[0].equals("text")) {
      TextKernel.run(
          Path.of(args[1]), Long.parseLong(args[2]), Integer.parseInt(args[3]), Path.of(args[4]));
    } else if (args.length == 6 && args[0].equals("shared")) {
      SharedKernel.run(
          Path.of(args[1]),
          Long.parseLong(args[2]),
          Integer.parseInt(args[3]),
          Integer.parseInt(args[4]),
          Path.of(args[5]));
    } else {
      System.err.println(
          "kernels: arguments are encode DAYS THREADS, hfile TSD_CONFIG DIR DAYS THREADS, text"
              + " FILE LINES ROUNDS DIR or shared FILE POINTS THREADS ROUNDS DIR, found "
              + String.join(" ", args));
      System.exit(USAGE);
    }
    System.exit(0);
  }
}
