import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { apiSurfaceFile, describeApi, isStable } from './api-surface.js'

/** Writes the served surface down. What a stable version once had stays in the list, so that its test goes on failing. */
const before = existsSync(apiSurfaceFile) ? readFileSync(apiSurfaceFile, 'utf8').trim().split('\n') : []
const served = await describeApi()
const lines = [...new Set([...served, ...before.filter(isStable)])].sort()
writeFileSync(apiSurfaceFile, `${lines.join('\n')}\n`)
console.log(`${lines.length} lines`)
