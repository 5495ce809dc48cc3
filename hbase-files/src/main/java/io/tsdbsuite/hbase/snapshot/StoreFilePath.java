package io.tsdbsuite.hbase.snapshot;

import io.tsdbsuite.format.snapshot.StoreFileName;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;

/**
 * The table, region and family in whose directory an HFile is. {@link StoreFileName} has the rules
 * of the names in a manifest.
 *
 * @param table the table
 * @param region encoded name of the region
 * @param family the column family
 * @param file name of the file
 */
public record StoreFilePath(TableName table, String region, String family, String file) {
  private static final String BULK_LOADED = "_SeqId_";

  /**
   * Finds the HFile of a name.
   *
   * @param table table of the region that has the name in the manifest
   * @param region encoded name of that region
   * @param family column family of the name
   * @throws IllegalArgumentException when the name has none of the forms
   */
  public static StoreFilePath of(TableName table, String region, String family, String name) {
    StoreFileName found =
        StoreFileName.of(table.getNamespaceAsString(), table.getQualifierAsString(), region, name);
    TableName owner =
        found.isLink() ? TableName.valueOf(found.namespace(), found.qualifier()) : table;
    return new StoreFilePath(owner, found.region(), family, found.hfile());
  }

  /**
   * The name of the HFile in a name of a manifest. It never changes, whatever refers to it. Unlike
   * {@link #of} it takes each name to have one of the forms.
   */
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

  /** The names of the HFiles of all regions of a snapshot, ascending. */
  public static Set<String> hfiles(Snapshot snapshot) {
    Set<String> names = new TreeSet<>();
    for (SnapshotRegion region : snapshot.regions()) {
      region.storeFiles().forEach(file -> names.add(hfile(file.getName())));
    }
    return names;
  }

  /** Whether the name of an HFile is that of a bulk-loaded one. */
  public static boolean isBulkLoaded(String hfile) {
    return hfile.contains(BULK_LOADED);
  }

  /** The directory below {@code data/} or {@code archive/data/}: {@code ns/table/region/family}. */
  public String directory() {
    // For each HFile of each manifest: ten times as fast as a format.
    return table.getNamespaceAsString()
        + "/"
        + table.getQualifierAsString()
        + "/"
        + region
        + "/"
        + family;
  }
}
