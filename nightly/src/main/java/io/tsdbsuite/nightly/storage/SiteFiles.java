package io.tsdbsuite.nightly.storage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings of the cluster in the directories {@code HADOOP_CONF_DIR} and {@code
 * HBASE_CONF_DIR}. If both have a file, that of {@code HADOOP_CONF_DIR} counts.
 */
public final class SiteFiles {
  /** Only hbase-property may set it: a site of region servers may load classes of the cluster. */
  private static final String DYNAMIC_JARS = "hbase.use.dynamic.jars";

  private final List<Path> directories = new ArrayList<>();

  /**
   * @param environment of the process
   */
  public SiteFiles(Map<String, String> environment) {
    for (String variable : List.of("HADOOP_CONF_DIR", "HBASE_CONF_DIR")) {
      String value = environment.getOrDefault(variable, "");
      if (!value.isEmpty()) {
        directories.add(Path.of(value).toAbsolutePath());
      }
    }
  }

  private Optional<Path> find(String name) {
    return directories.stream()
        .map(directory -> directory.resolve(name))
        .filter(Files::isReadable)
        .findFirst();
  }

  private void addTo(Configuration configuration, String name) {
    find(name)
        .ifPresent(file -> configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
  }

  /** Adds core-site.xml and hdfs-site.xml. */
  public void addHadoop(Configuration hadoop) {
    addTo(hadoop, "core-site.xml");
    addTo(hadoop, "hdfs-site.xml");
  }

  /** The properties of hbase-site.xml; empty if there is none. */
  public Map<String, String> hbase() {
    Configuration site = new Configuration(false);
    addTo(site, "hbase-site.xml");
    Map<String, String> properties = new LinkedHashMap<>();
    site.forEach(entry -> properties.put(entry.getKey(), entry.getValue()));
    properties.remove(DYNAMIC_JARS);
    return properties;
  }
}
