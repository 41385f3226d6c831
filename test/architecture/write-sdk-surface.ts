import { writeFileSync } from 'node:fs'
import { describeSurface, surfaceFile } from './sdk-surface.js'

/** `npm run api`: records the current surface of the sdk, for review. */
writeFileSync(surfaceFile, describeSurface())
