import { writeFileSync } from 'node:fs'
import { describeSurface, surfaceFile } from './sdk-surface.js'

/** `npm run api`: writes down the surface of the sdk as it is now, for review. */
writeFileSync(surfaceFile, describeSurface())
