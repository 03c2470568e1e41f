// The dashboard's page.

import { render } from "preact";
import "../components/theme.css";
import { App } from "./app.tsx";
import "./dashboard.css";

render(<App />, document.body);
