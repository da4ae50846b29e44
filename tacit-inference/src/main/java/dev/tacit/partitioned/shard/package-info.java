/** Views of records: parties, turns and shards. */
package dev.tacit.partitioned.shard;
