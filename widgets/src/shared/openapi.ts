/** Types of every call, from the server's OpenAPI description: a changed field fails the type check. */
import type { components, paths } from "../../generated/api";

export type Schemas = components["schemas"];

export type Verb = "GET" | "POST" | "PUT" | "PATCH";

/** The addresses that take a verb, with parameters such as {site}. */
export type Served<V extends Verb> = {
  [P in keyof paths]: paths[P] extends Record<Lowercase<V>, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<V extends Verb, P> = P extends keyof paths
  ? paths[P] extends Record<Lowercase<V>, infer O>
    ? O
    : never
  : never;

type PathParameters<O> = O extends { parameters: { path: infer Values } }
  ? { path: { [Name in keyof Values]: string | number } }
  : { path?: never };
type QueryOf<O> = O extends { parameters: { query?: infer Values } } ? Values : never;
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

/** The query parameters of a call. */
export type Query<V extends Verb, P> = NonNullable<QueryOf<Operation<V, P>>>;

/** What a call needs: its path parameters, its body, and a key where it takes one. */
export type Given<V extends Verb, P> = PathParameters<Operation<V, P>> & {
  query?: Query<V, P>;
} & Key<Operation<V, P>> &
  Body<Operation<V, P>>;

/** The body of a call's successful reply. */
export type Reply<V extends Verb, P> =
  Operation<V, P> extends { responses: infer All }
    ? All[keyof All & (200 | 201)] extends { content: { "application/json": infer Json } }
      ? Json
      : never
    : never;
