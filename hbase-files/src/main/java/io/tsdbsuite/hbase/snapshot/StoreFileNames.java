package io.tsdbsuite.hbase.snapshot;

import java.util.Set;
import java.util.TreeSet;

/**
 * Names of HFiles, which never change. The names in a snapshot's manifest contain them:
 *
 * <pre>
 *   5be2c7...                       an HFile
 *   5be2c7..._SeqId_12_             a bulk-loaded HFile
 *   tsdb=0a1b2c...-5be2c7...        a link to the HFile of another region
 *   5be2c7....0a1b2c...             half of an HFile of a region that was split; also of a link
 * </pre>
 */
public final class StoreFileNames {
  private static final String BULK_LOADED = "_SeqId_";

  private StoreFileNames() {}

  /** The name of the HFile in a name of a manifest. */
  public static String hfile(String name) {
    // Names of tables can have dots and hyphens, names of regions and HFiles cannot.
    String file = name;
    int table = name.lastIndexOf('=');
    if (table >= 0) {
      file = name.substring(name.indexOf('-', table) + 1);
    }
    int parent = file.indexOf('.');
    return parent < 0 ? file : file.substring(0, parent);
  }

  /** The HFiles of all regions of a snapshot, ascending. */
  public static Set<String> of(Snapshot snapshot) {
    Set<String> names = new TreeSet<>();
    for (SnapshotRegion region : snapshot.regions()) {
      region.storeFiles().forEach(file -> names.add(hfile(file.getName())));
    }
    return names;
  }

  /** Whether the name is of a bulk-loaded HFile. */
  public static boolean isBulkLoaded(String hfile) {
    return hfile.contains(BULK_LOADED);
  }
}
