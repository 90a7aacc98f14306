// The page /api/docs: Swagger UI on our description, with requests sent by the browser's session or a token.
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";

const container = document.getElementById("api-docs");

if (container) {
  const { csrfToken } = container.dataset;
  SwaggerUI({
    url: "/api/openapi.json",
    domNode: container,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    filter: true,
    validatorUrl: null,
    requestInterceptor: (request) => {
      // Changes by a browser's session need our token; those with an access token ignore it.
      if (csrfToken && request.method !== "GET") request.headers["X-CSRFToken"] = csrfToken;
      return request;
    },
  });
}
