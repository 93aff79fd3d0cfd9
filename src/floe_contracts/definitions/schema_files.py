"""Schema files as definitions: Avro, JSON Schema, and the JSON of a Spark StructType, with a line for every field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..contract.model import Json
from ..contract.source import Document, read_document
from ..frozen import dataclass, replace
from .definition import DefinedColumn, Definition, Gap

_Pointer = tuple["str | int", ...]
_AVRO = {
    "int": "int",
    "long": "bigint",
    "float": "float",
    "double": "double",
    "string": "string",
    "boolean": "boolean",
    "bytes": "binary",
}
_AVRO_LOGICAL = {
    "date": "date",
    "time-millis": "time",
    "time-micros": "time",
    "timestamp-millis": "timestamp with time zone",
    "timestamp-micros": "timestamp with time zone",
    "timestamp-nanos": "timestamp with time zone",
    "local-timestamp-millis": "timestamp without time zone",
    "local-timestamp-micros": "timestamp without time zone",
    "uuid": "uuid",
}
_NULL, _MAX_DEPTH = "null", 20
_JSON_FORMATS = {"date": "date", "time": "time", "uuid": "uuid"}
_SPARK = {
    "long": "bigint",
    "integer": "int",
    "short": "smallint",
    "byte": "tinyint",
    "timestamp_ntz": "timestamp without time zone",
}


def read_schema_file(kind: str, data: bytes, path: str) -> Definition | Gap:
    """The definition in an `avro`, `json_schema` or `spark` file."""
    document = read_document(data)
    if document.problems or not isinstance(document.value, dict):
        return Gap("the file is not a JSON object", 1, path)
    readers: Mapping[str, Callable[[_SchemaFile], Definition | Gap]] = {
        "avro": _SchemaFile.read_avro,
        "json_schema": _SchemaFile.read_json_schema,
        "spark": _SchemaFile.read_spark,
    }
    return readers[kind](_SchemaFile(document, path))


@dataclass(frozen=True, slots=True)
class _SchemaFile:
    document: Document
    path: str

    def line(self, pointer: _Pointer) -> int:
        place = self.document.locate(pointer)
        return place[0] if place else 1

    def definition(self, columns: Iterator[DefinedColumn | Gap], dialect: str = "") -> Definition:
        items = [*columns]
        return Definition(
            self.path,
            tuple(item for item in items if isinstance(item, DefinedColumn)),
            tuple(item for item in items if isinstance(item, Gap)),
            dialect=dialect,
        )

    def read_avro(self) -> Definition | Gap:
        value = self.document.value
        if not isinstance(value, dict) or value.get("type") != "record":
            return Gap("the Avro schema is not a record", 1, self.path)
        return self.definition(self._avro_fields(value, ()), "avro")

    def _avro_fields(self, record: Mapping[str, Json], at: _Pointer) -> Iterator[DefinedColumn | Gap]:
        fields = record.get("fields")
        for index, field in enumerate(fields if isinstance(fields, list) else []):
            place = (*at, "fields", index)
            if not isinstance(field, dict) or not isinstance(field.get("name"), str):
                yield Gap("a field without a name", self.line(place), self.path)
                continue
            column = self._avro_type(field.get("type"), (*place, "type"))
            yield replace(column, name=str(field["name"]), line=self.line((*place, "name")), quoted=True)

    def _avro_type(self, value: Json, at: _Pointer) -> DefinedColumn:
        """A column without its name: type, nullability and fields."""
        if isinstance(value, list):
            kinds = [(index, item) for index, item in enumerate(value) if item != "null"]
            inner = self._avro_type(kinds[0][1], (*at, kinds[0][0])) if len(kinds) == 1 else DefinedColumn("")
            return replace(inner, nullable=len(kinds) < len(value))
        if isinstance(value, str):
            return DefinedColumn("", type=_AVRO.get(value, ""), nullable=value == "null")
        if not isinstance(value, dict):
            return DefinedColumn("", nullable=False)
        kind, logical = value.get("type"), value.get("logicalType")
        if isinstance(kind, (dict, list)):
            return self._avro_type(kind, (*at, "type"))
        if logical == "decimal":
            return DefinedColumn(
                "", type=f"decimal({value.get('precision')},{value.get('scale') or 0})", nullable=False
            )
        if isinstance(logical, str) and logical in _AVRO_LOGICAL:
            return DefinedColumn("", type=_AVRO_LOGICAL[logical], nullable=False)
        if kind == "record":
            fields = tuple(item for item in self._avro_fields(value, at) if isinstance(item, DefinedColumn))
            return DefinedColumn("", type="struct", nullable=False, columns=fields)
        words = {"array": "array", "map": "map", "enum": "string", "fixed": "binary"}
        return DefinedColumn("", type=words.get(str(kind), _AVRO.get(str(kind), "")), nullable=False)

    def read_json_schema(self) -> Definition | Gap:
        value = self.document.value
        if not isinstance(value, dict) or not isinstance(value.get("properties"), dict):
            return Gap("the JSON Schema has no properties of its own", 1, self.path)
        definition = self.definition(self._json_fields(value, (), 0), "json")
        odd = [
            key
            for key in ("allOf", "anyOf", "oneOf", "$ref", "patternProperties", "if", "dependentSchemas")
            if key in value
        ]
        gaps = tuple(Gap(f"`{key}` may bring in other properties", self.line((key,)), self.path) for key in odd)
        return replace(definition, unknown=(*definition.unknown, *gaps))

    def _json_fields(self, value: Mapping[str, Json], at: _Pointer, depth: int) -> Iterator[DefinedColumn]:
        properties, required = value.get("properties"), value.get("required")
        needed = required if isinstance(required, list) else []
        for name, schema in properties.items() if isinstance(properties, dict) else ():
            place = (*at, "properties", name)
            column = self._json_type(self._follow(schema), place, depth)
            column = replace(column, type="") if column.type == _NULL else column
            allowed = None if column.nullable is None else column.nullable or name not in needed
            nullable = True if name not in needed else allowed
            yield replace(column, name=str(name), line=self._key_line(place), nullable=nullable, quoted=True)

    def _key_line(self, pointer: _Pointer) -> int:
        place = self.document.locate(pointer, key=True)
        return place[0] if place else 1

    def _follow(self, schema: Json) -> Json:
        """The schema, or what its local reference leads to; another file's is not known."""
        for _ in range(10):
            if not isinstance(schema, dict) or "$ref" not in schema:
                return schema
            reference = schema["$ref"]
            if not isinstance(reference, str) or not reference.startswith("#/"):
                return None
            value: Json = self.document.value
            for part in reference[2:].split("/"):
                name = part.replace("~1", "/").replace("~0", "~")
                value = value.get(name) if isinstance(value, dict) else None
            schema = value
        return None

    def _json_type(self, schema: Json, at: _Pointer, depth: int) -> DefinedColumn:
        if not isinstance(schema, dict) or depth > _MAX_DEPTH:
            return DefinedColumn("")
        kinds = schema.get("type")
        if not kinds:
            return self._json_untyped(schema, at, depth)
        listed = [str(kind) for kind in kinds] if isinstance(kinds, list) else [str(kinds)]
        others = [kind for kind in listed if kind != "null"]
        if not others:
            return DefinedColumn("", type=_NULL, nullable=True)
        nullable = "null" in listed
        if len(others) != 1:
            return DefinedColumn("", nullable=nullable)
        if others[0] == "object" and isinstance(schema.get("properties"), dict):
            fields = tuple(self._json_fields(schema, at, depth + 1))
            return DefinedColumn("", type="struct", nullable=nullable, columns=fields)
        return DefinedColumn("", type=_json_word(others[0], schema), nullable=nullable)

    def _json_untyped(self, schema: Mapping[str, Json], at: _Pointer, depth: int) -> DefinedColumn:
        """A schema that says its type by what it may be: one of several, a part of it, or one of some values."""
        listed = next((schema[key] for key in ("anyOf", "oneOf", "allOf") if isinstance(schema.get(key), list)), None)
        if isinstance(listed, list):
            if "allOf" in schema and len(listed) != 1:
                return DefinedColumn("")
            return _one_of([self._json_type(self._follow(item), at, depth + 1) for item in listed])
        values = schema.get("enum", [schema["const"]] if "const" in schema else [])
        return _one_of([_value_type(value) for value in values] if isinstance(values, list) else [])

    def read_spark(self) -> Definition | Gap:
        value = self.document.value
        if not isinstance(value, dict) or value.get("type") != "struct":
            return Gap("the file is not a StructType", 1, self.path)
        return self.definition(self._spark_fields(value, ()))

    def _spark_fields(self, struct: Mapping[str, Json], at: _Pointer) -> Iterator[DefinedColumn | Gap]:
        fields = struct.get("fields")
        for index, field in enumerate(fields if isinstance(fields, list) else []):
            place = (*at, "fields", index)
            if not isinstance(field, dict) or not isinstance(field.get("name"), str):
                yield Gap("a field without a name", self.line(place), self.path)
                continue
            kind = field.get("type")
            nested = kind if isinstance(kind, dict) else {}
            word = str(nested.get("type") or "") if nested else str(kind)
            inside: tuple[DefinedColumn, ...] = ()
            if word == "struct":
                items = self._spark_fields(nested, (*place, "type"))
                inside = tuple(item for item in items if isinstance(item, DefinedColumn))
            allowed = field.get("nullable")
            yield DefinedColumn(
                str(field["name"]),
                self.line((*place, "name")),
                _SPARK.get(word, word if word != "udt" else ""),
                allowed if isinstance(allowed, bool) else None,
                columns=inside,
            )


def _one_of(columns: list[DefinedColumn]) -> DefinedColumn:
    """What is one of these: null if one of them may be, of their type if they have the same."""
    if not columns:
        return DefinedColumn("")
    allowed = [column.nullable for column in columns]
    nullable = True if True in allowed else None if None in allowed else False
    kinds = [column for column in columns if column.type != _NULL]
    alike = bool(kinds) and all((kind.type, kind.columns) == (kinds[0].type, kinds[0].columns) for kind in kinds)
    return replace(kinds[0], nullable=nullable) if alike else DefinedColumn("", nullable=nullable)


def _value_type(value: Json) -> DefinedColumn:
    words = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): _NULL}
    return DefinedColumn("", type=words.get(type(value), ""), nullable=value is None)


def _json_word(kind: str, schema: Mapping[str, Json]) -> str:
    if kind == "string":
        form = schema.get("format")
        if form == "date-time":
            return "timestamp"
        return _JSON_FORMATS.get(str(form), "string")
    return kind if kind in ("integer", "number", "boolean", "array") else ""
