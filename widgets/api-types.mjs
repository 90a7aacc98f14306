// Makes the types of the JSON calls, generated/api.d.ts, from the server's description beside them.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const folder = new URL("generated/", import.meta.url);
const described = JSON.parse(await readFile(new URL("openapi.json", folder), "utf8"));
for (const schema of Object.values(described.components.schemas)) {
  // What holds between the fields of a body says more than a type can: it would only loosen theirs.
  if (schema.properties) for (const rule of ["anyOf", "oneOf", "allOf"]) delete schema[rule];
}
const types = await openapiTS(described, { defaultNonNullable: false });
await writeFile(new URL("api.d.ts", folder), astToString(types));
