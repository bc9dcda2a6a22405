/** The country flags of Unicode 17; other pairs of regional indicators are drawn differently by every terminal. */
import { codePointAt } from './clusters.ts';

const countries =
  'ACADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCPCQCRCUCVCWCX' +
  'CYCZDEDGDJDKDMDODZEAECEEEGEHERESETEUFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUICIDIEILIMINIOIQ' +
  'IRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNG' +
  'NINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTATCTDTFTGTHTJTK' +
  'TLTMTNTOTRTTTVTWTZUAUGUMUNUSUYUZVAVCVEVGVIVNVUWFWSXKYEYTZAZMZW';

let known: ReadonlySet<string> | null = null;

/** Two regional indicators that name a flag. */
export function isFlag(pair: string): boolean {
  known ??= new Set(countries.match(/../g));
  if (pair.length !== 4) return false;
  const letter = (offset: number): string => String.fromCharCode(codePointAt(pair, offset) - 0x1f1e6 + 0x41);
  return known.has(letter(0) + letter(2));
}
