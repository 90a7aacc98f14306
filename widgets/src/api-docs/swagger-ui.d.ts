declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Request {
    url: string;
    method: string;
    headers: Record<string, string>;
  }

  interface Options {
    url: string;
    domNode: HTMLElement;
    deepLinking?: boolean;
    docExpansion?: "list" | "full" | "none";
    defaultModelsExpandDepth?: number;
    filter?: boolean;
    persistAuthorization?: boolean;
    requestInterceptor?: (request: Request) => Request;
    validatorUrl?: string | null;
    onComplete?: () => void;
  }

  export default function SwaggerUI(options: Options): void;
}
