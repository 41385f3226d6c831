import { currentSdk, writeRecord } from './sdk-record.js'

/** `npm run sdk:record`: only for releases. */
writeRecord(currentSdk())
