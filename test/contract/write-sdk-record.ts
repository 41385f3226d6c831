import { currentSdk, writeRecord } from './sdk-record.js'

/** `npm run sdk:record`: part of a release, and of nothing else. */
writeRecord(currentSdk())
