import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { apiSurfaceFile, describeApi, isStable } from './api-surface.js'
import { readmePage, readmeText, servedPage, servedText, servedTypes } from './served-types.js'

/** Writes the served surface down. What a stable version once had stays in the list, so that its test goes on failing. */
const before = existsSync(apiSurfaceFile) ? readFileSync(apiSurfaceFile, 'utf8').trim().split('\n') : []
const served = await describeApi()
const lines = [...new Set([...served, ...before.filter(isStable)])].sort()
writeFileSync(apiSurfaceFile, `${lines.join('\n')}\n`)
console.log(`${lines.length} lines`)

/** And for people: what is served, and what is not. */
const types = await servedTypes()
writeFileSync(servedPage, servedText(types))
writeFileSync(readmePage, readmeText(readFileSync(readmePage, 'utf8'), types))
