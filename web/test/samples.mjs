// Texts in many languages and encodings, as files.
import { encode } from "utfkit";

const TEXTS = {
  English: "It was “the best of times”, it was the worst of times — so they said at the café, for £5.\n",
  French: "Le cœur a ses raisons que la raison ne connaît point. Où êtes-vous allés l’été dernier, à la forêt ?\n",
  German: "Zwölf große Boxkämpfer jagen Viktor über den Sylter Deich; die Mädchen müssen das schöne Gebäude prüfen.\n",
  Czech: "Příliš žluťoučký kůň úpěl ďábelské ódy. Děti mají rády zmrzlinu a chodí ven každý den před večeří.\n",
  Polish: "Zażółć gęślą jaźń. Pójdź, kińże tę chmurność w głąb flaszy; świat był wtedy zupełnie inny niż dziś.\n",
  Russian: "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему.\n",
  Ukrainian: "Щастя — це коли тебе розуміють; їжак і ґава живуть у нашому лісі, а діти читають їхні історії.\n",
  Greek: "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.\n",
  Turkish: "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar; şüphesiz akıl ve vicdan sahibidirler.\n",
  Hebrew: "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.\n",
  Arabic: "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا.\n",
  Thai: "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม\n",
  Vietnamese: "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.\n",
  Latvian: "Visi cilvēki piedzimst brīvi un vienlīdzīgi savā pašcieņā un tiesībās; viņi ir apveltīti ar saprātu.\n",
  Japanese:
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗い所で泣いていた事だけは記憶している。\n",
  Chinese: "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。\n",
  Taiwanese: "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。\n",
  Korean:
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았다.\n",
};

/** Language and encoding: those that other programs wrote files in. */
const FILES = [
  ["English", "windows-1252"],
  ["French", "windows-1252"],
  ["German", "ISO-8859-15"],
  ["German", "macintosh"],
  ["German", "IBM850"],
  ["Czech", "windows-1250"],
  ["Czech", "ISO-8859-2"],
  ["Polish", "windows-1250"],
  ["Russian", "windows-1251"],
  ["Russian", "KOI8-R"],
  ["Russian", "IBM866"],
  ["Russian", "ISO-8859-5"],
  ["Russian", "x-mac-cyrillic"],
  ["Ukrainian", "KOI8-U"],
  ["Greek", "windows-1253"],
  ["Turkish", "windows-1254"],
  ["Hebrew", "windows-1255"],
  ["Arabic", "windows-1256"],
  ["Thai", "windows-874"],
  ["Vietnamese", "VISCII"],
  ["Latvian", "windows-1257"],
  ["Japanese", "Shift_JIS"],
  ["Japanese", "EUC-JP"],
  ["Japanese", "ISO-2022-JP"],
  ["Chinese", "GBK"],
  ["Chinese", "GB18030"],
  ["Chinese", "HZ"],
  ["Taiwanese", "Big5"],
  ["Korean", "EUC-KR"],
  ["Korean", "ISO-2022-KR"],
  ["Arabic", "UTF-8"],
  ["Japanese", "UTF-16"],
  ["Greek", "UTF-16BE"],
  ["Korean", "UTF-32LE"],
];

export const texts = TEXTS;

/** The name, the text and the bytes of each. */
export const samples = () =>
  FILES.map(([language, label]) => {
    const text = TEXTS[language]
      .repeat(3)
      .replace(/[“”—‘’]/g, (c) => (/ISO-8859|IBM|KOI8|VISCII/.test(label) ? '"' : c));
    return { name: `${language}.${label}.txt`, label, text, bytes: encode(text, label) };
  });
