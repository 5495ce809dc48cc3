package io.tsdbsuite.trigger.lambda;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A function like in Lambda: the packaged jar under AWS's runtime interface client, in its own JVM,
 * with only the given environment.
 */
public final class LambdaProcess implements AutoCloseable {
  private static final String RUNTIME =
      "com.amazonaws.services.lambda.runtime.api.client.AWSLambda";

  /** The directory of the runtime's native library; by default a fixed name in /tmp. */
  private static final String NATIVE =
      "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";

  private static final long PATIENCE_SECONDS = 300;

  private final RuntimeApi api;
  private final Process process;

  /** A file instead of a pipe: all output before a response can be read after it. */
  private final Path output;

  private final Duration init;
  private final InvocationResult initAnswer;

  private LambdaProcess(RuntimeApi api, Process process, Path output, long begin) {
    this.api = api;
    this.process = process;
    this.output = output;
    initAnswer = get(CompletableFuture.anyOf(api.init(), process.onExit()).thenApply(this::answer));
    init = Duration.ofNanos(System.nanoTime() - begin);
  }

  private InvocationResult answer(Object first) {
    return first instanceof InvocationResult answer
        ? answer
        : new InvocationResult("exit", "it ended at once");
  }

  /**
   * Starts a function; the start may fail, see {@link #initAnswer}.
   *
   * @param jar the packaged jar
   * @param runtime class path of the runtime interface client
   * @param handler the handler's class
   * @param environment the function's environment variables
   * @param flags of the JVM
   */
  public static LambdaProcess start(
      Path jar,
      String runtime,
      String handler,
      Map<String, String> environment,
      Path tmp,
      String... flags)
      throws IOException {
    Files.createDirectories(tmp);
    RuntimeApi api = new RuntimeApi();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // As Lambda starts Java: see its documentation on JAVA_TOOL_OPTIONS.
    command.addAll(List.of("-XX:+TieredCompilation", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m", "-XX:-UsePerfData"));
    command.add("-Djava.io.tmpdir=" + tmp.toAbsolutePath());
    command.add("-XX:ErrorFile=" + tmp.toAbsolutePath().resolve("hs_err_%p.log"));
    command.add("-D" + NATIVE + "=" + nativeLibrary(runtime, tmp));
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", runtime + File.pathSeparator + jar, RUNTIME, handler));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().put("AWS_LAMBDA_RUNTIME_API", api.address());
    builder.environment().put("AWS_LAMBDA_FUNCTION_NAME", "test");
    builder.environment().put("AWS_LAMBDA_FUNCTION_VERSION", "1");
    builder.environment().put("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024");
    builder.environment().put("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/test");
    builder.environment().put("AWS_LAMBDA_LOG_STREAM_NAME", "test");
    builder.environment().put("LANG", "C.UTF-8");
    Path output = Files.createTempFile(tmp, "output", ".log");
    builder.redirectOutput(output.toFile());
    long begin = System.nanoTime();
    return new LambdaProcess(api, builder.start(), output, begin);
  }

  private static Path nativeLibrary(String runtime, Path tmp) throws IOException {
    String arch = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
    String name = "libaws-lambda-jni.linux-" + arch + ".so";
    Path library = tmp.toAbsolutePath().resolve(name);
    if (Files.exists(library)) {
      return library;
    }
    for (String entry : runtime.split(File.pathSeparator, -1)) {
      try (FileSystem jar = FileSystems.newFileSystem(Path.of(entry))) {
        Path packed = jar.getPath("jni", name);
        if (Files.exists(packed)) {
          Files.copy(packed, library);
          return library;
        }
      }
    }
    throw new IOException("no " + name + " in " + runtime);
  }

  /** Time from the start of the JVM until the function asks for its first event. */
  public Duration init() {
    return init;
  }

  /** The result of the start. */
  public InvocationResult initAnswer() {
    return initAnswer;
  }

  /** Sends an event and waits for the response. */
  public InvocationResult invoke(String event) {
    return get(api.invoke(event));
  }

  /** Hands in an event. */
  public CompletableFuture<InvocationResult> invokeLater(String event) {
    return api.invoke(event);
  }

  private <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new IllegalStateException("no answer; output: " + output(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The lines written so far: logs and metrics. */
  public List<String> output() {
    try {
      return Files.readAllLines(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    api.close();
  }
}
