import { pathToFileURL } from 'node:url'
import { run } from 'uvu/run'

/** Runs several compiled test files in one process: most of a small file's time goes into loading what it tests. */
await run(process.argv.slice(2).map(file => ({ name: file, file: pathToFileURL(file).pathname.slice(1) })))
