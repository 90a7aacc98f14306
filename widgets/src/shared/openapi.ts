/** What the server's OpenAPI description says of each call, as types: a changed field breaks who uses it. */
import type { components, paths } from "../../generated/api";

export type Schemas = components["schemas"];

export type Verb = "GET" | "POST" | "PUT" | "PATCH";

/** The addresses that take a verb, with gaps such as {site}. */
export type Served<V extends Verb> = {
  [P in keyof paths]: paths[P] extends Record<Lowercase<V>, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<V extends Verb, P> = P extends keyof paths
  ? paths[P] extends Record<Lowercase<V>, infer O>
    ? O
    : never
  : never;

type Gaps<O> = O extends { parameters: { path: infer Values } }
  ? { path: { [Name in keyof Values]: string | number } }
  : { path?: never };
type Asked<O> = O extends { parameters: { query?: infer Values } } ? Values : never;
type Headers<O> = O extends { parameters: { header?: infer Values } }
  ? Values extends object
    ? keyof Values
    : never
  : never;
type Key<O> = "Idempotency-Key" extends Headers<O> ? { key: string } : { key?: never };
type Sent<Content> = Content extends { "application/json": infer Json } ? Json : Blob;
type Body<O> = O extends { requestBody: { content: infer Content } }
  ? { body: Sent<Content> }
  : { body?: never };

/** What a call's address may ask for behind its question mark. */
export type Query<V extends Verb, P> = NonNullable<Asked<Operation<V, P>>>;

/** What a call must be given: what fills its gaps, its body, and a key where it takes one. */
export type Given<V extends Verb, P> = Gaps<Operation<V, P>> & { query?: Query<V, P> } & Key<
    Operation<V, P>
  > &
  Body<Operation<V, P>>;

/** What a call answers when it succeeds. */
export type Reply<V extends Verb, P> =
  Operation<V, P> extends { responses: infer All }
    ? All[keyof All & (200 | 201)] extends { content: { "application/json": infer Json } }
      ? Json
      : never
    : never;
