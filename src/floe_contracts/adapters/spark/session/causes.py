"""What errors of Spark, Java, databases and lakes mean in our words: cause and, where there is one, the way out."""

from __future__ import annotations

import re

_TIMES = "the format of its times cannot be read by Spark; write it in the letters of Java, as in yyyy-MM-dd HH:mm:ss"
_JARS = "a jar does not fit this version of Spark, Java or another jar; bring the version of it that is made for them"
_MEMORY = "Spark ran out of memory; give it more by --driver-memory, or --executor-memory on a cluster"
_DELTA_CHANGED = (
    "rows of the table were updated or deleted, and a stream follows only what is added; add options: "
    "{skipChangeCommits: true} to the connection to leave such commits out, or check the table by batches"
)
_NEW_COLUMNS = "the columns of the table changed while a stream read it; start the stream again"
_ICEBERG_CHANGED = (
    "rows of the table were {} and a stream follows only what is added; add options: {{{}: true}} to the connection "
    "to leave such snapshots out, or check the table by batches"
)

# Messages of run-time errors quote the value at fault, so only these words are said.
RUN_TIME_WORDS = {
    "ARITHMETIC_OVERFLOW": "a number is too large for its type",
    "BINARY_ARITHMETIC_OVERFLOW": "a number is too large for its type",
    "CANNOT_PARSE_TIMESTAMP": "a text cannot be read as a time",
    "CAST_INVALID_INPUT": "a text cannot be read as the type it is cast to",
    "CAST_OVERFLOW": "a number is too large for the type it is cast to",
    "DATETIME_FIELD_OUT_OF_BOUNDS": "a part of a time is out of its range, as the 31st of February is",
    "DATETIME_OVERFLOW": "a time is beyond the years that Spark knows",
    "DIVIDE_BY_ZERO": "something is divided by zero",
    "DUPLICATED_MAP_KEY": "a map has a key twice; correct the rows, or set spark.sql.mapKeyDedupPolicy to LAST_WIN",
    "FAILED_EXECUTE_UDF": "a function written in Python or Scala failed",
    "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION": _TIMES,
    "INCONSISTENT_BEHAVIOR_CROSS_VERSION.PARSE_DATETIME_BY_NEW_PARSER": "a text is a time only in the reading of "
    "Spark 2; correct it, or set spark.sql.legacy.timeParserPolicy to CORRECTED, which reads it as null",
    "INTERVAL_ARITHMETIC_OVERFLOW": "a length of time is too large for its type",
    "INVALID_ARRAY_INDEX": "an array has no item at the index asked for",
    "INVALID_ARRAY_INDEX_IN_ELEMENT_AT": "an array has no item at the index asked for",
    "INVALID_DATETIME_PATTERN": _TIMES,
    "INVALID_PARAMETER_VALUE.CHARSET": "Spark does not know the encoding; write options: {encoding: UTF-8}, or another "
    "that it knows",
    "INVALID_PARAMETER_VALUE.PATTERN": "the pattern cannot be read",
    "MALFORMED_CHARACTER_CODING": "a text has bytes that its encoding does not allow",
    "NUMERIC_VALUE_OUT_OF_RANGE": "a number has more digits than its type",
    "REMAINDER_BY_ZERO": "something is divided by zero",
    "SCALAR_SUBQUERY_TOO_MANY_ROWS": "a subquery that must give one row gives more",
    "SPARK_JOB_CANCELLED": "it was cancelled",
    "USER_RAISED_EXCEPTION": "the query calls raise_error or assert_true, and its condition came about",
}
CLASSES = {
    "java.lang.ArithmeticException": "a number or a time is too large for its type, as infinity is",
    "java.lang.NumberFormatException": "a text cannot be read as a number",
    "java.lang.OutOfMemoryError": _MEMORY,
    "java.lang.StackOverflowError": "a pattern or expression is too deep for the stack of Spark's threads",
    "java.lang.UnsupportedClassVersionError": "a jar was made for a newer Java than the one that runs Spark",
    **dict.fromkeys(
        (
            "java.lang.NoSuchMethodError",
            "java.lang.NoSuchFieldError",
            "java.lang.AbstractMethodError",
            "java.lang.IllegalAccessError",
            "java.lang.IncompatibleClassChangeError",
            "java.lang.NoClassDefFoundError",
            "java.lang.VerifyError",
            "java.lang.BootstrapMethodError",
        ),
        _JARS,
    ),
    "java.time.DateTimeException": "a time is not in the calendar that it is read with",
    "java.io.EOFException": "a file ends before it is complete",
    "java.io.FileNotFoundException": "a file is not there",
    "java.nio.file.AccessDeniedException": "permission to read it is denied",
    "java.util.zip.ZipException": "a compressed file is damaged",
    "org.apache.hadoop.security.AccessControlException": "permission to read it is denied",
    "org.apache.hadoop.fs.ChecksumException": "a file is damaged, its checksum is wrong",
    "org.apache.hadoop.fs.UnsupportedFileSystemException": "Spark lacks the jar for addresses of this kind",
    "org.apache.hadoop.fs.s3a.auth.NoAuthWithAWSException": "there is no login for S3",
    "org.apache.orc.FileFormatException": "a file cannot be read, it is not an ORC file",
    "org.apache.avro.InvalidAvroMagicException": "a file cannot be read, it is not Avro file",
    "org.apache.avro.AvroTypeException": "an Avro file has other columns than the schema it is read with",
    "org.apache.parquet.io.ParquetDecodingException": "a Parquet file keeps a column otherwise than its schema says",
    "com.univocity.parsers.common.TextParsingException": "a line has more columns or longer texts than the options "
    "maxColumns and maxCharsPerColumn allow; raise them, or look for a quote that is never closed",
    "java.net.UnknownHostException": "its host is not known",
    "java.net.ConnectException": "nothing listens at its address",
    "java.net.SocketTimeoutException": "its server does not answer",
    "javax.net.ssl.SSLHandshakeException": "the certificate of its server is not trusted",
    "org.apache.kafka.clients.consumer.OffsetOutOfRangeException": "messages were removed before they were read; add "
    "options: {failOnDataLoss: false} to go on behind them",
    "org.apache.kafka.common.errors.TimeoutException": "the Kafka broker does not answer",
    "org.apache.kafka.common.errors.UnknownTopicOrPartitionException": "the Kafka broker has no such topic",
    "org.apache.kafka.common.errors.TopicAuthorizationException": "permission to read the topic is denied",
    "org.apache.kafka.common.errors.SaslAuthenticationException": "the Kafka broker refused the login",
    "org.apache.iceberg.exceptions.NotFoundException": "a file of the Iceberg table is not there",
    "org.apache.iceberg.exceptions.NotAuthorizedException": "the Iceberg catalog refused the login",
    "org.apache.iceberg.exceptions.ForbiddenException": "permission to read it is denied",
    "org.apache.iceberg.exceptions.ServiceFailureException": "the Iceberg catalog is out of order",
}
CONDITIONS = {
    "DATA_SOURCE_NOT_FOUND": "Spark lacks the jar for this format",
    "DELTA_SOURCE_IGNORE_DELETE": _DELTA_CHANGED,
    "DELTA_SOURCE_TABLE_IGNORE_CHANGES": _DELTA_CHANGED,
    "DELTA_SCHEMA_CHANGED": _NEW_COLUMNS,
    "DELTA_SCHEMA_CHANGED_WITH_STARTING_OPTIONS": "the columns of the table changed after the version the stream "
    "starts at; start it at a later one",
    "DELTA_SCHEMA_CHANGED_WITH_VERSION": _NEW_COLUMNS,
    "DELTA_UNSUPPORTED_FEATURES_FOR_READ": "the table uses features newer than the jar of Delta; bring a newer one",
    "FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER": "a file cannot be read, its schema is missing or damaged",
    "FAILED_READ_FILE.FILE_NOT_EXIST": "a file is not there",
    "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH": "a file keeps the column in another type than others do",
    "FAILED_READ_FILE": "a file cannot be read",
    "FAILED_JDBC": "the database refused it",
    "INCONSISTENT_BEHAVIOR_CROSS_VERSION.READ_ANCIENT_DATETIME": "a file has dates before 1582 or times "
    "before 1900; add options: {datetimeRebaseMode: LEGACY, int96RebaseMode: LEGACY} if they are in the old calendar, "
    "CORRECTED if in ours",
    "KAFKA_DATA_LOSS": "messages were removed before they were read; add options: {failOnDataLoss: false} to go on "
    "behind them",
    "MALFORMED_RECORD_IN_PARSING": "a line cannot be read as the promised columns; leave out the option mode, and such "
    "lines are counted",
}
# What to do about errors that are about names and types, and that Spark's own words explain.
WAYS_OUT = {
    "COLUMN_ALREADY_EXISTS": "(the case of letters does not count); where both are meant, set "
    "spark.sql.caseSensitive to true",
}
# What errors say that have neither a condition nor a class of their own.
MESSAGES = (
    (
        re.compile("Cannot process overwrite snapshot"),
        _ICEBERG_CHANGED.format("updated or overwritten,", "streaming-skip-overwrite-snapshots"),
    ),
    (
        re.compile("Cannot process delete snapshot"),
        _ICEBERG_CHANGED.format("deleted,", "streaming-skip-delete-snapshots"),
    ),
    (
        re.compile("users need to specify all or none for the following options: 'partitionColumn'"),
        "the options partitionColumn, lowerBound, upperBound and numPartitions go together: write all of them, or none",
    ),
    (
        re.compile(r"^(?:Delimiter cannot be|header flag can be true or false|\w+ flag can be true or false)"),
        "an option of the CSV reader has a value that it cannot have: look at sep, header and the like",
    ),
    (
        re.compile("Failed to find data source: avro"),
        "Spark lacks the jar for Avro; bring it by --packages org.apache.spark:spark-avro_2.13 in the version of Spark",
    ),
    (re.compile("ExecutorLostFailure"), "an executor of Spark was lost, most often because its memory was too small"),
    (re.compile("because SparkContext was shut down"), "Spark was stopped meanwhile"),
)


def words_of(table: dict[str, str], condition: str) -> str:
    """The words for a condition, or for the class of conditions that it belongs to."""
    return table.get(condition) or table.get(condition.partition(".")[0], "")
