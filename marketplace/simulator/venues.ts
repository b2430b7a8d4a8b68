/** The 60 venues of the simulated market, with their seating. Data only. */

export type VenueKind = 'arena' | 'ballpark' | 'theatre';

export interface SimulatedVenue {
  kind: VenueKind;
  name: string;
  city: string;
  state: string;
  stateName: string;
  country: 'US' | 'CA';
  lat: number;
  lng: number;
  /** The home team; theatres have none. */
  home: string;
}

const states: Record<string, string> = {
  AZ: 'Arizona',
  CA: 'California',
  CO: 'Colorado',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  IL: 'Illinois',
  IN: 'Indiana',
  LA: 'Louisiana',
  MA: 'Massachusetts',
  MD: 'Maryland',
  MI: 'Michigan',
  MN: 'Minnesota',
  MO: 'Missouri',
  NC: 'North Carolina',
  NV: 'Nevada',
  NY: 'New York',
  OH: 'Ohio',
  OK: 'Oklahoma',
  ON: 'Ontario',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  WA: 'Washington',
  WI: 'Wisconsin',
};

const arenas = `
Madison Square Garden|New York|NY|40.7505|-73.9934|New York Knicks
TD Garden|Boston|MA|42.3662|-71.0621|Boston Celtics
Barclays Center|Brooklyn|NY|40.6826|-73.9754|Brooklyn Nets
Scotiabank Arena|Toronto|ON|43.6435|-79.3791|Toronto Raptors
United Center|Chicago|IL|41.8807|-87.6742|Chicago Bulls
Rocket Arena|Cleveland|OH|41.4965|-81.6882|Cleveland Cavaliers
Little Caesars Arena|Detroit|MI|42.3411|-83.0553|Detroit Pistons
Gainbridge Fieldhouse|Indianapolis|IN|39.7640|-86.1555|Indiana Pacers
Fiserv Forum|Milwaukee|WI|43.0451|-87.9172|Milwaukee Bucks
State Farm Arena|Atlanta|GA|33.7573|-84.3963|Atlanta Hawks
Spectrum Center|Charlotte|NC|35.2251|-80.8392|Charlotte Hornets
Kaseya Center|Miami|FL|25.7814|-80.1870|Miami Heat
Kia Center|Orlando|FL|28.5392|-81.3839|Orlando Magic
Capital One Arena|Washington|DC|38.8981|-77.0209|Washington Wizards
Ball Arena|Denver|CO|39.7487|-105.0077|Denver Nuggets
Target Center|Minneapolis|MN|44.9795|-93.2761|Minnesota Timberwolves
Paycom Center|Oklahoma City|OK|35.4634|-97.5151|Oklahoma City Thunder
Moda Center|Portland|OR|45.5316|-122.6668|Portland Trail Blazers
Delta Center|Salt Lake City|UT|40.7683|-111.9011|Utah Jazz
Chase Center|San Francisco|CA|37.7680|-122.3877|Golden State Warriors
Crypto.com Arena|Los Angeles|CA|34.0430|-118.2673|Los Angeles Lakers
Intuit Dome|Inglewood|CA|33.9451|-118.3431|Los Angeles Clippers
Footprint Center|Phoenix|AZ|33.4457|-112.0712|Phoenix Suns
Golden 1 Center|Sacramento|CA|38.5802|-121.4997|Sacramento Kings
American Airlines Center|Dallas|TX|32.7905|-96.8103|Dallas Mavericks
Toyota Center|Houston|TX|29.7508|-95.3621|Houston Rockets
FedExForum|Memphis|TN|35.1382|-90.0506|Memphis Grizzlies
Smoothie King Center|New Orleans|LA|29.9490|-90.0821|New Orleans Pelicans
Frost Bank Center|San Antonio|TX|29.4270|-98.4375|San Antonio Spurs
Xfinity Mobile Arena|Philadelphia|PA|39.9012|-75.1720|Philadelphia 76ers`;

const ballparks = `
Fenway Park|Boston|MA|42.3467|-71.0972|Boston Red Sox
Yankee Stadium|Bronx|NY|40.8296|-73.9262|New York Yankees
Wrigley Field|Chicago|IL|41.9484|-87.6553|Chicago Cubs
Dodger Stadium|Los Angeles|CA|34.0739|-118.2400|Los Angeles Dodgers
Oracle Park|San Francisco|CA|37.7786|-122.3893|San Francisco Giants
Citi Field|Queens|NY|40.7571|-73.8458|New York Mets
Petco Park|San Diego|CA|32.7076|-117.1570|San Diego Padres
Busch Stadium|St. Louis|MO|38.6226|-90.1928|St. Louis Cardinals
Camden Yards|Baltimore|MD|39.2839|-76.6217|Baltimore Orioles
T-Mobile Park|Seattle|WA|47.5914|-122.3325|Seattle Mariners
PNC Park|Pittsburgh|PA|40.4469|-80.0057|Pittsburgh Pirates
Coors Field|Denver|CO|39.7559|-104.9942|Colorado Rockies
Truist Park|Atlanta|GA|33.8908|-84.4678|Atlanta Braves
Rogers Centre|Toronto|ON|43.6414|-79.3894|Toronto Blue Jays
Progressive Field|Cleveland|OH|41.4962|-81.6852|Cleveland Guardians`;

const theatres = `
Beacon Theatre|New York|NY|40.7805|-73.9811|
Radio City Music Hall|New York|NY|40.7600|-73.9799|
Ryman Auditorium|Nashville|TN|36.1612|-86.7785|
The Chicago Theatre|Chicago|IL|41.8854|-87.6275|
Fox Theatre|Atlanta|GA|33.7726|-84.3855|
The Wiltern|Los Angeles|CA|34.0614|-118.3089|
Orpheum Theatre|Boston|MA|42.3562|-71.0609|
Paramount Theatre|Seattle|WA|47.6131|-122.3314|
Moody Theater|Austin|TX|30.2654|-97.7473|
Massey Hall|Toronto|ON|43.6541|-79.3791|
The Met|Philadelphia|PA|39.9700|-75.1606|
Encore Theater|Las Vegas|NV|36.1264|-115.1657|
Riverside Theater|Milwaukee|WI|43.0388|-87.9118|
State Theatre|Minneapolis|MN|44.9770|-93.2770|
Fillmore Auditorium|Denver|CO|39.7402|-104.9786|`;

function readVenues(kind: VenueKind, table: string): SimulatedVenue[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', city = '', state = '', lat = '', lng = '', home = ''] = line.split('|');
      return {
        kind,
        name,
        city,
        state,
        stateName: states[state] ?? state,
        country: state === 'ON' ? 'CA' : 'US',
        lat: Number(lat),
        lng: Number(lng),
        home,
      };
    });
}

export const simulatedVenues: readonly SimulatedVenue[] = [
  ...readVenues('arena', arenas),
  ...readVenues('ballpark', ballparks),
  ...readVenues('theatre', theatres),
];

export interface SimulatedZone {
  name: string;
  /** The prefix that `vs` puts before the section. */
  vsName: string;
  sections: readonly string[];
  rows: number;
  /** Price of the zone relative to the venue's cheapest. */
  factor: number;
  /** Share of the listings. */
  share: number;
}

function numbered(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
}

const sides = ['Left', 'Left Center', 'Center', 'Right Center', 'Right'];

export const zonesOf: Record<VenueKind, readonly [SimulatedZone, ...SimulatedZone[]]> = {
  arena: [
    {
      name: 'Upper Bowl',
      vsName: 'Upper Bowl',
      sections: numbered(301, 330),
      rows: 18,
      factor: 1,
      share: 0.45,
    },
    {
      name: 'Club',
      vsName: 'Club',
      sections: numbered(201, 216),
      rows: 10,
      factor: 2.2,
      share: 0.15,
    },
    {
      name: 'Lower Bowl',
      vsName: 'Lower Bowl',
      sections: numbered(101, 124),
      rows: 24,
      factor: 2.6,
      share: 0.36,
    },
    {
      name: 'Courtside',
      vsName: 'Courtside',
      sections: ['VIP 1', 'VIP 2', 'VIP 3', 'VIP 4'],
      rows: 3,
      factor: 11,
      share: 0.04,
    },
  ],
  ballpark: [
    {
      name: 'Upper Deck',
      vsName: 'Upper Deck',
      sections: numbered(401, 434),
      rows: 20,
      factor: 1,
      share: 0.35,
    },
    {
      name: 'Outfield',
      vsName: 'Outfield',
      sections: numbered(130, 150),
      rows: 22,
      factor: 1.3,
      share: 0.3,
    },
    {
      name: 'Infield Box',
      vsName: 'Infield',
      sections: numbered(10, 29),
      rows: 20,
      factor: 2.8,
      share: 0.25,
    },
    {
      name: 'Field Box',
      vsName: 'Field Box',
      sections: numbered(1, 9),
      rows: 8,
      factor: 4.5,
      share: 0.1,
    },
  ],
  theatre: [
    { name: 'Balcony', vsName: 'Balcony', sections: sides, rows: 12, factor: 1, share: 0.35 },
    { name: 'Mezzanine', vsName: 'Mezzanine', sections: sides, rows: 10, factor: 1.5, share: 0.3 },
    { name: 'Orchestra', vsName: 'Orchestra', sections: sides, rows: 26, factor: 2.1, share: 0.35 },
  ],
};
