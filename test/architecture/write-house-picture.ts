import { writeFileSync } from 'node:fs'
import { drawHouse, pictureFile } from './house-picture.js'

/** `npm run api`: draws the house from its floor table. */
writeFileSync(pictureFile, drawHouse())
