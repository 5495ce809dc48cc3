# In the place of the only command of hbase-shell 2.4 that HBase 2.6 has no class for, so that the others load.
module Shell
  module Commands
    class Trace < Command
    end
  end
end
