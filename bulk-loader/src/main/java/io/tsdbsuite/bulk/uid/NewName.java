package io.tsdbsuite.bulk.uid;

/**
 * A name whose UID is not known yet.
 *
 * @param text the name
 * @param bytes the name in ISO-8859-1
 */
record NewName(String text, byte[] bytes) {}
