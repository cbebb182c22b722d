"""The registry of the real data sets: one entry per set, and nothing else.

An entry says what the file is called and what its bytes must be, which column is the target,
which columns are categories (with their levels), which columns are in the file but are not
inputs, where the same rows are in OpenML, whom to cite, and under which licence. The words are
explained in `data_set`; reading and checking are in `fetch`.
"""

from treelab.datasets.data_set import UCI, DataSet, coded, levels, numbered

# An entry reads as a paragraph; one argument per line would make it 600 lines to search.
# fmt: off

_GERMAN = coded(
    checking_status="A11=<0|A12=0<=X<200|A13=>=200|A14=no checking",
    credit_history="A30=no credits/all paid|A31=all paid|A32=existing paid"
    "|A33=delayed previously|A34=critical/other existing credit",
    purpose="A40=new car|A41=used car|A42=furniture/equipment|A43=radio/tv"
    "|A44=domestic appliance|A45=repairs|A46=education|A47=vacation|A48=retraining"
    "|A49=business|A410=other",
    savings_status="A61=<100|A62=100<=X<500|A63=500<=X<1000|A64=>=1000|A65=no known savings",
    employment="A71=unemployed|A72=<1|A73=1<=X<4|A74=4<=X<7|A75=>=7",
    personal_status="A91=male div/sep|A92=female div/dep/mar|A93=male single|A94=male mar/wid"
    "|A95=female single",
    other_parties="A101=none|A102=co applicant|A103=guarantor",
    property_magnitude="A121=real estate|A122=life insurance|A123=car|A124=no known property",
    other_payment_plans="A141=bank|A142=stores|A143=none",
    housing="A151=rent|A152=own|A153=for free",
    job="A171=unemp/unskilled non res|A172=unskilled resident|A173=skilled"
    "|A174=high qualif/self emp/mgmt",
    own_telephone="A191=none|A192=yes",
    foreign_worker="A201=yes|A202=no",
    **{"class": "1=good|2=bad"},
)

_WINE_CITE = (
    "Cortez P, Cerdeira A, Almeida F, Matos T, Reis J (2009) Modeling wine preferences "
    "by data mining from physicochemical properties. Decision Support Systems "
    "47:547-553. UCI doi:10.24432/C56S3T"
)
_WINE_INPUTS = ("fixed acidity", "volatile acidity", "citric acid", "residual sugar", "chlorides",
                "free sulfur dioxide", "total sulfur dioxide", "density", "pH", "sulphates",
                "alcohol")
_BIKE_CITE = (
    "Fanaee-T H, Gama J (2013) Event labeling combining ensemble detectors and "
    "background knowledge. Progress in Artificial Intelligence. "
    "UCI doi:10.24432/C5W894"
)
_BIKE_NOTE = (
    "cnt = casual + registered in every row, so these two are not inputs; neither are "
    "the row number and the date. temp, atemp, hum and windspeed are scaled to at most "
    "1. Season 1 is January to March."
)
_NIPS = (
    "Guyon I, Gunn S, Ben-Hur A, Dror G (2004) Result analysis of the NIPS 2003 feature "
    "selection challenge. NIPS 17."
)
_PACKAGED = "; the copy packaged in R's mlbench is GPL-2"

REGISTRY = {
    "bike_sharing_hour": DataSet(
        "Bike Sharing, hourly", "bike_sharing_hour.csv.gz",
        "1138c97ce5e90fba259e99977162db981aa4186777e0b501d9ac07f6ed00ccc9",
        17379, 17, 0, "cnt", 2121379.4006, _BIKE_CITE, total=3292679,
        not_inputs=("instant", "dteday", "casual", "registered"),
        notes=_BIKE_NOTE + " 165 of the 17544 hours of the two years are absent. OpenML's copy "
              "has no date, row number, casual or registered: from there the frame lacks them.",
        openml=42712,
        inputs=("season", "yr", "mnth", "hr", "holiday", "weekday", "workingday", "weathersit",
                "temp", "atemp", "hum", "windspeed"),
        openml_exact=True),
    "bike_sharing_day": DataSet(
        "Bike Sharing, daily", "bike_sharing_day.csv",
        "537e98e2c8b8f53e3094d953f847788b1dc224764a4a1e538b3e1ec4e30dac8a",
        731, 16, 0, "cnt", 50173.3903622, _BIKE_CITE, total=3292679,
        not_inputs=("instant", "dteday", "casual", "registered"), notes=_BIKE_NOTE),
    "wine_quality_red": DataSet(
        "Wine Quality, red", "wine_quality_red.csv",
        "d22f4f11db0456ff21745d2fa96d26fa348a8cdb889efda65bde802085be45fd",
        1599, 12, 0, "quality", 959900.6985200001, _WINE_CITE,
        counts={3: 10, 4: 53, 5: 681, 6: 638, 7: 199, 8: 18},
        notes="240 rows repeat an earlier one exactly: keep copies together when you split.",
        openml=44972, inputs=_WINE_INPUTS),
    "wine_quality_white": DataSet(
        "Wine Quality, white", "wine_quality_white.csv",
        "d99ea899f7ea892b717e34b0b6eaca33244c52d0d038dc4fcb6c728a64842562",
        4898, 12, 0, "quality", 6718995.59372, _WINE_CITE,
        counts={3: 20, 4: 163, 5: 1457, 6: 2198, 7: 880, 8: 175, 9: 5},
        notes="937 rows repeat an earlier one exactly: keep copies together when you split.",
        openml=44971, inputs=_WINE_INPUTS),
    "ozone": DataSet(
        "Los Angeles ozone, 1976", "mlbench_Ozone.csv",
        "a054e531ec90517f6c76ebab5e6bc9470bf51867894a9d6bfaaa81273d63be75",
        366, 13, 203, "ozone", 17584760.580000002,
        "Breiman L, Friedman JH (1985) Estimating optimal transformations for multiple "
        "regression and correlation. JASA 80:580-598",
        "no licence is stated for the data" + _PACKAGED, total=4161.0,
        notes="The target is the daily maximum of the one-hour mean. Five days have no target: "
              "they are in the frame, not in data and target. Weekday 1 is Monday.",
        rename={"V1": "month", "V2": "day_of_month", "V3": "weekday", "V4": "ozone",
                "V5": "height_500mb", "V6": "wind_speed", "V7": "humidity", "V8": "temp_sandburg",
                "V9": "temp_el_monte", "V10": "inversion_base_height", "V11": "pressure_gradient",
                "V12": "inversion_base_temp", "V13": "visibility"}),
    "german_credit": DataSet(
        "Statlog (German Credit Data)", "german.csv",
        "302c25f9a04f3253156506baa40b172b3107bf7e26b9bbc46e51c2a062829787",
        1000, 21, 0, "class", 6777975.0,
        "Hofmann H (1994) Statlog (German Credit Data). UCI doi:10.24432/C5NC77",
        counts={"good": 700, "bad": 300},
        decode=_GERMAN, levels={column: tuple(codes.values()) for column, codes in _GERMAN.items()},
        notes="The codes of the original file (A11, A12, ...) are written out.", openml=31),
    "horse_colic": DataSet(
        "Horse Colic", "horse_colic.csv",
        "1898fac613178b2414e1310b1dae23e58edbcbfbb25f7bc673216a08cb6dd8e4",
        368, 23, 1927, "surgical_lesion", 214975.1,
        "McLeish M, Cecile M (1989) Horse Colic. UCI doi:10.24432/C58W23",
        counts={"no": 136, "yes": 232},
        levels=levels({
            "no|yes": "surgery surgical_lesion", "young|adult": "Age",
            "cold|cool|normal|warm": "temp_extremities",
            "absent|reduced|normal|increased": "peripheral_pulse",
            "normal pink|bright pink|pale pink|pale cyanotic|bright red|dark cyanotic":
            "mucous_membranes",
            "<3|>=3|meaning unknown": "capillary_refill_time",
            "alert no pain|depressed|intermittent mild pain|intermittent severe pain|continuous "
            "severe pain": "pain", "absent|hypomotile|normal|hypermotile": "peristalsis",
            "none|slight|moderate|severe": "abdominal_distension",
            "none|slight|significant": "nasogastric_tube", "none|<1l|>1l": "nasogastric_reflux",
            "absent|decreased|normal|increased": "rectal_examination",
            "normal|other|firm feces in large intestine|distended small intestine|distended "
            "large intestine": "abdomen",
            "clear|cloudy|serosanguinous": "abdominocentesis_appearance",
            "lived|died|euthanized": "outcome"}),
        not_inputs=("outcome",),
        notes="outcome is known only afterwards, so it is not an input; published results on 22 "
              "inputs include it.",
        openml=27),
    "hypothyroid": DataSet(
        "Thyroid Disease, hypothyroid", "hypothyroid.csv",
        "6bb0afde95acee5119f23223051079c38591acdc923bffcc44633afdfb2d1212",
        3163, 26, 5329, "class", 3544221.2900000005,
        "Quinlan R (1986) Thyroid Disease. UCI doi:10.24432/C5D010",
        counts={"hypothyroid": 151, "negative": 3012},
        levels=levels({
            "F|M": "sex", "hypothyroid|negative": "class",
            "f|t": "on_thyroxine query_on_thyroxine on_antithyroid_medication thyroid_surgery "
                   "query_hypothyroid query_hyperthyroid pregnant sick tumor lithium goitre",
            "n|y": "TSH_measured T3_measured TT4_measured T4U_measured FTI_measured TBG_measured"}),
        notes="X_measured is n exactly where X is missing."),
    "ionosphere": DataSet(
        "Ionosphere", "mlbench_Ionosphere.csv",
        "7cf50e9a51e21ca9e24ee5585ddbbba26adfef47c4a1f303e2f939f63b84c08e",
        351, 35, 0, "Class", 41600.63287,
        "Sigillito VG, Wing SP, Hutton LV, Baker KB (1989) Classification of radar returns from "
        "the ionosphere using neural networks. Johns Hopkins APL Technical Digest 10:262-266. "
        "UCI doi:10.24432/C5W01B",
        UCI + _PACKAGED, counts={"bad": 126, "good": 225},
        levels=levels({"bad|good": "Class"}),
        notes="V2 is 0 in every row.", openml=59, inputs=numbered("V", 34),
        openml_labels={"b": "bad", "g": "good"}),
    "sonar": DataSet(
        "Sonar, mines and rocks", "mlbench_Sonar.csv",
        "73acb22b638c2ef1ccda32fed33f6e5e9889702279c3af5f559ee6954cc2025f",
        208, 61, 0, "Class", 93518.3511,
        "Gorman RP, Sejnowski TJ (1988) Analysis of hidden units in a layered network trained to "
        "classify sonar targets. Neural Networks 1:75-89. UCI doi:10.24432/C5T01Q",
        UCI + _PACKAGED, counts={"M": 111, "R": 97},
        levels=levels({"M|R": "Class"}),
        notes="M is a metal cylinder (mine), R a rock.", openml=40, inputs=numbered("V", 60),
        openml_labels={"Mine": "M", "Rock": "R"}),
    "vehicle": DataSet(
        "Statlog (Vehicle Silhouettes)", "mlbench_Vehicle.csv",
        "1b0dd064acd61cb3d180b360941d4eda993caa0703ad95f8d8d059c9ae091c04",
        846, 19, 0, "Class", 18874085.0,
        "Siebert JP (1987) Vehicle recognition using rule based methods. Turing Institute "
        "TIRM-87-018. UCI doi:10.24432/C5HG6X",
        UCI + _PACKAGED, counts={"bus": 218, "opel": 212, "saab": 217, "van": 199},
        levels=levels({"bus|opel|saab|van": "Class"}),
        openml=54,
        inputs=("Comp", "Circ", "D.Circ", "Rad.Ra", "Pr.Axis.Ra", "Max.L.Ra", "Scat.Ra", "Elong",
                "Pr.Axis.Rect", "Max.L.Rect", "Sc.Var.Maxis", "Sc.Var.maxis", "Ra.Gyr",
                "Skew.Maxis", "Skew.maxis", "Kurt.maxis", "Kurt.Maxis", "Holl.Ra")),
    "parkinsons": DataSet(
        "Parkinsons", "parkinsons.csv",
        "455009076cd278efb0b2fb9307c0682834c477fa582ca6c10367128dd7a1c6db",
        195, 24, 0, "status", 238884.13083399998,
        "Little MA, McSharry PE, Roberts SJ, Costello DAE, Moroz IM (2007) Exploiting nonlinear "
        "recurrence and fractal scaling properties for voice disorder detection. BioMedical "
        "Engineering OnLine 6:23. UCI doi:10.24432/C59C74",
        counts={0: 48, 1: 147}, not_inputs=("name",),
        notes="status 1 is Parkinson's disease. name identifies the person (32 people, 6 or 7 "
              "recordings each): split by person. OpenML's copy has no name, so a frame from "
              "there cannot be split that way.",
        openml=1488,
        inputs=("MDVP:Fo(Hz)", "MDVP:Fhi(Hz)", "MDVP:Flo(Hz)", "MDVP:Jitter(%)", "MDVP:Jitter(Abs)",
                "MDVP:RAP", "MDVP:PPQ", "Jitter:DDP", "MDVP:Shimmer", "MDVP:Shimmer(dB)",
                "Shimmer:APQ3", "Shimmer:APQ5", "MDVP:APQ", "Shimmer:DDA", "NHR", "HNR", "RPDE",
                "DFA", "spread1", "spread2", "D2", "PPE"),
        openml_labels={"1": "0", "2": "1"}),
    "auto": DataSet(
        "Automobile (imports 1985)", "auto.csv",
        "f075cbf60a73cfc4216dce49b5af369c3865d14f99e409dcb57255f3c5ce6324",
        205, 26, 59, "symboling", 56327309.4,
        "Schlimmer J (1985) Automobile. UCI doi:10.24432/C5B01C",
        counts={-2: 3, -1: 22, 0: 67, 1: 54, 2: 32, 3: 27},
        levels=levels({
            "alfa-romero|audi|bmw|chevrolet|dodge|honda|isuzu|jaguar|mazda|mercedes-benz|mercury|"
            "mitsubishi|nissan|peugot|plymouth|porsche|renault|saab|subaru|toyota|volkswagen|"
            "volvo": "make", "diesel|gas": "fuel-type", "std|turbo": "aspiration",
            "two|four": "num-of-doors", "convertible|hardtop|hatchback|sedan|wagon": "body-style",
            "4wd|fwd|rwd": "drive-wheels", "front|rear": "engine-location",
            "dohc|dohcv|l|ohc|ohcf|ohcv|rotor": "engine-type",
            "two|three|four|five|six|eight|twelve": "num-of-cylinders",
            "1bbl|2bbl|4bbl|idi|mfi|mpfi|spdi|spfi": "fuel-system"}),
        notes="symboling is an insurer's risk rating, from -3 (safe) to 3.", openml=9),
    "sick": DataSet(
        "Thyroid Disease, sick", "sick.csv",
        "05190848f34a622eba86e2d2b6e77270926b757e0d459019e7c84ba3aa655f79",
        2800, 30, 4556, "Class", 3001044.0300000003,
        "Quinlan R (1986) Thyroid Disease. UCI doi:10.24432/C5D010",
        counts={"negative": 2629, "sick": 171},
        levels=levels({
            "F|M": "sex", "negative|sick": "Class",
            "STMW|SVHC|SVHD|SVI|WEST|other": "referral_source",
            "f|t": "on_thyroxine query_on_thyroxine on_antithyroid_medication sick pregnant "
                   "thyroid_surgery I131_treatment query_hypothyroid query_hyperthyroid lithium "
                   "goitre tumor hypopituitary psych TSH_measured T3_measured TT4_measured "
                   "T4U_measured FTI_measured TBG_measured"}),
        notes="UCI's training part: the first 2800 of 3772 rows. TBG is wholly missing.", openml=38,
        openml_rows=2800),
    "anneal": DataSet(
        "Annealing", "anneal.csv",
        "f46de7a080b6a6d9c8ef5dc3c83bfc6073804bdf8e184d0a3c677899264e4569",
        898, 39, 22175, "class", 10422026.688,
        "Annealing, donated by D. Sterling and W. Buntine. UCI doi:10.24432/C5RW2F",
        counts={"1": 8, "2": 99, "3": 684, "5": 67, "U": 40},
        levels=levels({
            "Y": "bc bf bt bl m cbond marvi exptl ferro corr lustre jurofm s p",
            "GB|GK|GS|TN|ZA|ZF|ZH|ZM|ZS": "family", "C|H|G": "product-type",
            "A|K|M|R|S|U|V|W": "steel", "T": "temper_rolling", "A|S|X": "condition",
            "1|2|3|4|5": "formability enamelability", "N": "non-ageing", "M|P": "surface-finish",
            "D|E|F|G": "surface-quality", "B|M": "bw/me", "C": "chrom", "P": "phos",
            "B|C|R|V": "blue/bright/varn/clean", "COIL|SHEET": "shape", "N|Y": "oil",
            "0|500|600|760": "bore", "1|2|3": "packing", "1|2|3|4|5|U": "class"}),
        notes="An empty cell mostly means 'not applicable': let it be a level of its own. Six "
              "columns are wholly empty and class 4 never occurs.",
        openml=2, openml_labels={"0000": "0", "0500": "500", "0600": "600", "0760": "760"}),
    "ada": DataSet(
        "ADA, training part", "ada.csv.gz",
        "d2625ab41ed82d510a8f01de67c44cfa98e1263b50fa9f94727042d2c25be014",
        4147, 49, 0, "class", 98471562.0,
        "Guyon I et al. (2006) Performance prediction challenge, WCCI/IJCNN; made from Adult "
        "(Kohavi R 1996)",
        "no licence is stated; derived from UCI Adult, CC BY 4.0", counts={-1: 3118, 1: 1029},
        notes="f40 is constant.", openml=1043, inputs=numbered("f", 48), openml_rows=4147,
        openml_exact=True),
    "hill_valley": DataSet(
        "Hill-Valley", "hill_valley.csv.gz",
        "ba6d82b576f94ef1ccb05045dc04e6f4f19b5005d55dc6c233afaefa1f9a8198",
        1212, 102, 0, "class", 50046654972.32,
        "Graham L, Oppacher F (2008) Hill-Valley. UCI doi:10.24432/C5JC8P", counts={0: 606, 1: 606},
        not_inputs=("part",),
        notes="Two parts of 606 rows: the first is presumed to be UCI's training file. OpenML "
              "calls the set free of noise, but its curves are noisy. Scale each row before use. "
              "From OpenML the frame lacks part.",
        openml=1479, inputs=numbered("X", 100), openml_exact=True),
    "musk1": DataSet(
        "Musk, version 1", "musk1.csv.gz",
        "45b7298b18403ef9244eaea13fd040fc44d60f537555186a2e509336d629a067",
        476, 169, 0, "class", -332301220.0,
        "Dietterich TG, Lathrop RH, Lozano-Perez T (1997) Solving the multiple instance problem "
        "with axis-parallel rectangles. Artificial Intelligence 89:31-71. UCI doi:10.24432/C5ZK5B",
        counts={0: 269, 1: 207}, not_inputs=("molecule_name", "conformation_name"),
        notes="Rows are shapes of 92 molecules: split by molecule_name."),
    "arrhythmia": DataSet(
        "Arrhythmia", "arrhythmia.csv.gz",
        "2b2b49811224c658a3cffe755849457d4e15f1b7852b9f004bdf8a10ef6987e1",
        452, 280, 408, "class", 83018749.2,
        "Guvenir HA, Acar B, Demiroz G, Cekin A (1997) A supervised machine learning algorithm "
        "for arrhythmia analysis. Computers in Cardiology 24:433-436. UCI doi:10.24432/C5BS32",
        counts={1: 245, 2: 44, 3: 15, 4: 15, 5: 13, 6: 25, 7: 3, 8: 2, 9: 9, 10: 50, 14: 4,
                15: 5, 16: 22},
        notes="Class 1 is a normal electrocardiogram; 13 of the 16 classes occur. Columns coded "
              "0 and 1 stay numbers.",
        openml=5),
    "madelon": DataSet(
        "Madelon, training part", "madelon.csv.gz",
        "2e47d1d41e69d8afdf870ea9bea5d699e5d54bf3f0c1b253978dd7f63ef00232",
        2000, 501, 0, "class", 122258422933.0, _NIPS + " UCI doi:10.24432/C5602H",
        counts={-1: 1000, 1: 1000},
        notes="Artificial: 5 informative inputs, 15 combinations of them, 480 of pure noise.",
        openml=1485, inputs=numbered("f", 500), openml_rows=2000,
        openml_labels={"1": "-1", "2": "1"}, openml_exact=True),
    "arcene": DataSet(
        "Arcene, training part", "arcene.csv.gz",
        "f39c0de38f8fe1bd24ac7b1cf4e68eaf98647d5fc9a69fe74894e463a90c87a0",
        100, 10001, 0, "class", 355204943555.0, _NIPS + " UCI doi:10.24432/C58P55",
        counts={-1: 56, 1: 44}, notes="Mass spectra of blood serum; 1 is cancer.", openml=1458,
        inputs=numbered("f", 10000), openml_rows=100, openml_labels={"1": "-1", "2": "1"},
        openml_exact=True),
}
