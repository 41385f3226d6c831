import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawHouse, pictureFile } from './house-picture.js'
import { describeReference, referenceFolder } from './sdk-reference.js'

/** `npm run api`: writes the reference of the sdk from its declarations, and draws the house from its floor table. */
rmSync(referenceFolder, { recursive: true, force: true })
mkdirSync(referenceFolder)
for (const [name, text] of describeReference()) writeFileSync(join(referenceFolder, name), text)
writeFileSync(pictureFile, drawHouse())
