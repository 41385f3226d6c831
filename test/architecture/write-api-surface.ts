import { readFileSync, writeFileSync } from 'node:fs'
import { apiSurfaceFile, committedApi, describeApi, isStable, surfaceText } from './api-surface.js'
import { readmePage, readmeText, servedPage, servedText, servedTypes } from './served-types.js'

/** Writes the served surface down. What a stable version once had stays in the list, so that its test goes on failing. */
const entries = new Set([...(await describeApi()), ...committedApi().filter(isStable)])
writeFileSync(apiSurfaceFile, surfaceText([...entries]))
console.log(`${entries.size} operations and fields`)

/** And for people: what is served, and what is not. */
const types = await servedTypes()
writeFileSync(servedPage, servedText(types))
writeFileSync(readmePage, readmeText(readFileSync(readmePage, 'utf8'), types))
