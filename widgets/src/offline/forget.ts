/** The sign-in page shows that nobody is signed in, so what was read for a person is deleted. */
import { forgetPerson } from "./person";

forgetPerson().catch(() => {
  // The mark stays, so that the next sign-in page tries again.
});
