"""spark-submit as another program, for scripts that are not ours; needs no Spark in this process."""
