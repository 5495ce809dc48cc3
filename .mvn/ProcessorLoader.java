import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The class loader of javac's plugins (Error Prone), one for each processor path. javac's own is a
 * new one for each compilation, so that each loads and compiles Error Prone again: a third of its
 * CPU. The option {@code -XDprocloader} of the root pom names this class; without it, as where
 * Maven is called before make, javac takes its own.
 */
public final class ProcessorLoader extends ClassLoader {
  private static final Map<List<String>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

  public ProcessorLoader(URL[] path, ClassLoader parent) {
    super(
        LOADERS.computeIfAbsent(
            Arrays.stream(path).map(URL::toString).toList(),
            key -> new URLClassLoader(path, parent)));
  }
}
