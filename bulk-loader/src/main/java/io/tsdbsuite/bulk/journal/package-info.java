/** What a load has done so far, on disk, so that another process can go on with it. */
package io.tsdbsuite.bulk.journal;
