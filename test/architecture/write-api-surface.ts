import { readFileSync, writeFileSync } from 'node:fs'
import { apiSurfaceFile, committedApi, describeApi, isStable, surfaceText } from './api-surface.js'
import { readmePage, readmeText, servedPage, servedText, servedTypes } from './served-types.js'

/** Records the served surface. Entries of a stable version are never removed, so that the test keeps failing without them. */
const entries = new Set([...(await describeApi()), ...committedApi().filter(isStable)])
writeFileSync(apiSurfaceFile, surfaceText([...entries]))
console.log(`${entries.size} operations and fields`)

/** The pages about served and missing types. */
const types = await servedTypes()
writeFileSync(servedPage, servedText(types))
writeFileSync(readmePage, readmeText(readFileSync(readmePage, 'utf8'), types))
