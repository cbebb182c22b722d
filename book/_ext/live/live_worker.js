// Python in a thread of its own, so that the page stays alive and can end it. The page posts
// { id, call, args }, where call names a function of page_runner.py, and gets { id, said } back.

import { loadPyodide } from "../pyodide/pyodide.mjs";

async function start() {
  const [python, files] = await Promise.all([
    loadPyodide(), fetch(new URL("files.json", import.meta.url)).then((answer) => answer.json()),
  ]);
  for (const [path, text] of Object.entries(files)) {
    python.FS.mkdirTree("/home/book/" + path.split("/").slice(0, -1).join("/"));
    python.FS.writeFile("/home/book/" + path, text);
  }
  python.runPython("import sys; sys.path.insert(0, '/home/book')");
  return python.pyimport("page_runner");
}

const runner = start();

onmessage = async ({ data: { id, call, args } }) => {
  try {
    const python = await runner;
    postMessage({ id, started: true });
    postMessage({ id, said: JSON.parse(python[call](...args)) });
  } catch (error) {
    postMessage({ id, failed: String(error.message ?? error) });
  }
};
