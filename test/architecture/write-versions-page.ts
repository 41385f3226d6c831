import { writeFileSync } from 'node:fs'
import { sources } from './sources.js'
import { declaredDifferences, readVersionsPage, versionsPage, versionsText } from './versions-page.js'

/** Writes the table of differences into docs/versions.md. */
const declared = declaredDifferences(sources('kernel', 'sdk', 'plugins'))
writeFileSync(versionsPage, versionsText(readVersionsPage(), declared))
console.log(`${declared.length} differences between versions`)
